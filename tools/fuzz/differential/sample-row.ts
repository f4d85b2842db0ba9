/** A sample in short. */
export type Row = readonly [group: string, version: string, plural: string, kind: string, fields: object, subs?: string]
