/** Unpacks frames of the live protocol in the browser. See FrameMessage. */
import type { ReadFrame } from '@/lib/view/frame-queue'

/** The text of a frame that is not one already. */
export const readFrame: ReadFrame = (frame) =>
  new Response(new Blob([frame.slice(1)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
