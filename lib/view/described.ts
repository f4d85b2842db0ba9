/** Descriptions of schemas, as codes of the catalogue: the document of the API is rendered in the language of its reader. */
import type { MessageCode } from '@/lib/messages/message'

/** The description of a schema, for zod's `meta`. */
export const described = (code: MessageCode): { description: MessageCode } => ({ description: code })
