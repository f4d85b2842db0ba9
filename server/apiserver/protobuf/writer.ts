/**
 * Writes the wire format of protobuf from the last byte to the first: the length of a message is known by the time that
 * it is written.
 */
const FIRST_SIZE = 512

export class Writer {
  private bytes = Buffer.allocUnsafe(FIRST_SIZE)
  private start = FIRST_SIZE

  /** How much was written so far. */
  get length(): number {
    return this.bytes.length - this.start
  }

  /** The written bytes. The writer must not be used afterwards. */
  done(): Buffer {
    return this.bytes.subarray(this.start)
  }

  varint(value: number): void {
    if (value < 0) return this.varintOf(BigInt.asUintN(64, BigInt(value)))
    if (value > Number.MAX_SAFE_INTEGER) return this.varintOf(BigInt(value))
    let size = 1
    for (let rest = value; rest >= 128; rest /= 128) size++
    let at = this.room(size)
    let rest = value
    while (rest >= 128) {
      this.bytes[at++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.bytes[at] = rest
  }

  private varintOf(value: bigint): void {
    const parts: number[] = []
    let rest = value
    while (rest >= 128n) {
      parts.push(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.raw(Buffer.from([...parts, Number(rest)]))
  }

  double(value: number): void {
    const at = this.room(8)
    this.bytes.writeDoubleLE(value, at)
  }

  text(value: string): void {
    const size = Buffer.byteLength(value)
    const at = this.room(size)
    this.bytes.write(value, at, size, 'utf8')
  }

  raw(value: Uint8Array): void {
    const at = this.room(value.length)
    this.bytes.set(value, at)
  }

  /** Puts the number and wire type of a field before its value. */
  tag(number: number, wire: number): void {
    this.varint(number * 8 + wire)
  }

  /** Makes what was written since `length` was `before` the value of a field. */
  close(number: number, before: number): void {
    this.varint(this.length - before)
    this.tag(number, 2)
  }

  /** Reserves bytes before the existing content, and returns their offset. */
  private room(size: number): number {
    if (this.start < size) {
      const { length } = this
      const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, length + size))
      grown.set(this.done(), grown.length - length)
      this.start = grown.length - length
      this.bytes = grown
    }
    this.start -= size
    return this.start
  }
}
