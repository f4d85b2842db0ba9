/** Unpacks frames of the live protocol in the browser. See FrameMessage. */
import type { ReadFrame } from '@/lib/view/frame-queue'

const DEFLATED = 1
const decoder = new TextDecoder()

/** The text of a frame; a promise where it has to be inflated. */
export const readFrame: ReadFrame = (frame) => {
  const body = frame.slice(1)
  return frame[0] === DEFLATED ? inflate(body) : decoder.decode(body)
}

function inflate(body: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([body]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}
