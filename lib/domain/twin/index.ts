/** A copied federation, and the proof that the copy makes the same decisions. See README.md. */
export { anonymise, type Hash } from './anonymise'
export { COPIED_KINDS, OPTIONAL_KINDS } from './copied-kinds'
export { copyObject } from './copy-object'
export {
  EXPORT_API_VERSION,
  EXPORT_KIND,
  type ExportFault,
  type Omission,
  type OmissionReason,
  parseExport,
  type TwinExport,
} from './export-format'
export {
  type MemberShape,
  type NodeShape,
  podRequests,
  quantities,
  shapeMember,
  type Whole,
  wholeList,
} from './node-shape'
export { keptPercent, keptShare, type MovedWorkload, proofMessage, proveTwin, type TwinProof } from './prove'
export { omissionMessage, Omissions } from './report'
