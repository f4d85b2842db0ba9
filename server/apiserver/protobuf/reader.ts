/** Reads the wire format of protobuf: varints, fixed-width numbers, and spans of bytes. */
import { ProtobufUnreadable } from './unreadable'

export const VARINT = 0
export const FIXED64 = 1
export const BYTES = 2
const FIXED32 = 5

/** Goes through the bytes from `at` to `end`, which are one message. */
export class Reader {
  constructor(
    readonly bytes: Buffer,
    public at: number,
    readonly end: number,
  ) {}

  get more(): boolean {
    return this.at < this.end
  }

  /** A whole number; beyond 2^53 it is rounded. */
  varint(): number {
    let value = 0
    let scale = 1
    for (let count = 0; count < 9; count++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
    // Ten bytes are a negative number of 64 bits in two's complement.
    const last = this.byte()
    if (last > 1) throw new ProtobufUnreadable('proto: integer overflow')
    return this.negative()
  }

  /** Reads a ten-byte number. */
  private negative(): number {
    let value = 0n
    for (let count = 0; count < 10; count++) {
      value |= BigInt(this.bytes[this.at - 10 + count]! & 0x7f) << BigInt(7 * count)
    }
    return Number(BigInt.asIntN(64, value))
  }

  double(): number {
    this.need(8)
    this.at += 8
    return this.bytes.readDoubleLE(this.at - 8)
  }

  /** A reader of a length-delimited field. */
  span(): Reader {
    const length = this.varint()
    if (length < 0) throw new ProtobufUnreadable('proto: negative length found during unmarshaling')
    this.need(length)
    const start = this.at
    this.at += length
    return new Reader(this.bytes, start, this.at)
  }

  text(): string {
    return this.bytes.toString('utf8', this.at, this.end)
  }

  base64(): string {
    return this.bytes.toString('base64', this.at, this.end)
  }

  /** Passes over a value of a field that is not known. */
  skip(wire: number): void {
    if (wire === VARINT) this.varint()
    else if (wire === FIXED64) this.pass(8)
    else if (wire === BYTES) this.span()
    else if (wire === FIXED32) this.pass(4)
    else throw new ProtobufUnreadable(`proto: illegal wireType ${wire}`)
  }

  private pass(length: number): void {
    this.need(length)
    this.at += length
  }

  private need(length: number): void {
    if (this.at + length > this.end) throw new ProtobufUnreadable('unexpected EOF')
  }

  private byte(): number {
    this.need(1)
    return this.bytes[this.at++]!
  }
}
