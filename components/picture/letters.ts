/** Ideographs, kana, Hangul and full-width signs. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/gu
const EXTRA = 0.9

/** The width of a text in Latin letters: a wide one takes nearly the room of two. */
export const lettersOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0) * EXTRA

/** A digit or a letter of a label is about this wide. */
export const LETTER = 6.4
