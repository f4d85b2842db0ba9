/** The content is no message. The text says why, as the Go library would. */
export class ProtobufUnreadable extends Error {
  override readonly name = 'ProtobufUnreadable'
  /** The kind that the content claims to be, where it got that far. */
  of?: { apiVersion: string; kind: string }
}
