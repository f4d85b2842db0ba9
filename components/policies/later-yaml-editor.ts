import { laterPart } from '../ui/later-part'

/** `YamlEditor`, whose editor is large: fetched where a policy is edited, after the first paint. */
export const LaterYamlEditor = laterPart(() => import('./yaml-editor').then((code) => code.YamlEditor))
