/** Descriptions of schemas as message codes, so that the API document is rendered in the reader's language. */
import type { MessageCode } from '@/lib/messages/message'

/** Returns the description of a schema, for zod's `meta`. */
export const described = (code: MessageCode): { description: MessageCode } => ({ description: code })
