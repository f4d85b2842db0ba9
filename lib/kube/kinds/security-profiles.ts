/** What confines the processes of a container: shared by pods and their containers. */
import { boolean, object, string } from '../schema'

const profile = object({ localhostProfile: string(), type: string() }, { required: ['type'] })

/** The profiles and options of a security context that are the same in both. */
export const confinement = {
  appArmorProfile: profile,
  seLinuxOptions: object({ level: string(), role: string(), type: string(), user: string() }),
  seccompProfile: profile,
  windowsOptions: object({
    gmsaCredentialSpec: string(),
    gmsaCredentialSpecName: string(),
    hostProcess: boolean(),
    runAsUserName: string(),
  }),
}
