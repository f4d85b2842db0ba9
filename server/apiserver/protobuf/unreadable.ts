/** Invalid protobuf, with the message of the Go library. */
export class ProtobufUnreadable extends Error {
  override readonly name = 'ProtobufUnreadable'
  /** The kind that the content claims to be, where it got that far. */
  of?: { apiVersion: string; kind: string }
}
