/** How a conformance suite runs recorded inputs of the real implementation through our functions. */

/** One recorded case: input and output. */
export interface Case<I = unknown, O = unknown> {
  name: string
  input: I
  output: O
}

/** Returns why a case fails, in one line; undefined if it passes. */
export type Judge<I = unknown, O = unknown> = (testCase: Case<I, O>) => string | undefined | Promise<string | undefined>

/** A suite, named after the file of its vectors. Each `tools/conformance/suites/<name>.ts` exports one as `suite`. */
export interface Suite<I = unknown, O = unknown> {
  name: string
  judge: Judge<I, O>
}
