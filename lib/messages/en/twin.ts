/** The twin of a federation: its report and proof, the export command, and their errors. */
export const twin = {
  'twin.banner': 'Twin of {source} as of {at}. Changes here do not affect the source.',
  'twin.banner.label': 'Twin',
  'twin.banner.link': 'Report',
  'twin.page.title': 'Twin',
  'twin.page.source': 'Source',
  'twin.page.takenAt': 'Copied',
  'twin.page.anonymised': 'Names',
  'twin.page.hashed': 'Replaced by hashes',
  'twin.page.plain': 'As in the source',
  'twin.page.content': 'Content',
  'twin.page.counts':
    '{clusters, plural, one {# cluster} other {# clusters}}, {bindings, plural, one {# binding} other {# bindings}}, {nodes, plural, one {# node} other {# nodes}}, {pods, plural, one {# pod} other {# pods}}',
  'twin.page.proof': 'Proof',
  'twin.page.notCompared':
    '{n, plural, one {# binding is} other {# bindings are}} not compared: not placed, suspended, or with another scheduler',
  'twin.page.moved': 'Different placement in the twin',
  'twin.page.workload': 'Workload',
  'twin.page.reason': 'Reason',
  'twin.page.omissions': 'Not copied as it is',
  'twin.page.complete': 'Everything was copied',
  'twin.proof':
    '{kept, number} of {workloads, plural, one {# workload keeps its placement} other {# workloads keep their placement}} in the twin ({percent, number}%)',
  'twin.moved': 'Placed {before} in the source, {after} in the twin',
  'twin.notScheduled': 'The scheduler finds no placement in the twin',
  'twin.omission.Forbidden': '{kind}: no permission to list it in the source',
  'twin.omission.OtherNamespaces': '{kind}: copied from the namespaces that you may read',
  'twin.omission.NotServed': '{kind}: not served by the source',
  'twin.omission.OtherVersion': '{kind}: the source serves {versions}, which this version cannot read',
  'twin.omission.TooLarge':
    '{kind}: {count, plural, one {# object} other {# objects}} over the size limit left out ({names})',
  'twin.omission.Secret':
    '{count, plural, one {# binding of a Secret} other {# bindings of Secrets}} left out: Secrets are never copied',
  'twin.omission.ReadLater': '{kind}: read later than the other kinds, so changes in between may be missing elsewhere',
  'twin.omission.Deleting':
    '{kind}: {count, plural, one {# object} other {# objects}} being deleted left out ({names})',
  'twin.omission.TemplateMissing':
    '{kind}: {count, plural, one {# binding} other {# bindings}} without a readable resource template ({names})',
  'twin.omission.NotServedHere':
    '{kind}: {count, plural, one {# object} other {# objects}} of a kind without a definition in the twin ({names})',
  'twin.omission.Invalid':
    '{kind}: {count, plural, one {# object} other {# objects}} refused by the twin ({names}): {detail}',
  'twin.omission.FieldsDropped':
    '{kind}: unknown fields of {count, plural, one {# object} other {# objects}} dropped ({names}): {detail}',
  'twin.omission.PullMode':
    '{count, plural, one {# cluster} other {# clusters}} in Pull mode simulated in Push mode ({names})',
  'twin.omission.NodesMerged':
    '{count, plural, one {# cluster has} other {# clusters have}} more than 1,000 nodes; the twin has fewer and larger ones ({names})',
  'twin.omission.PodsLimited':
    '{kind}: {count, plural, one {# workload has} other {# workloads have}} more than 1,000 replicas in a cluster; the twin runs 1,000 ({names})',
  'twin.omission.SummaryDiffers':
    '{count, plural, one {# cluster reports} other {# clusters report}} less usage or capacity than its workloads request; the twin differs there ({names})',
  'twin.omission.NoSummary':
    '{count, plural, one {# cluster reports} other {# clusters report}} no resources; the twin has one node without capacity there ({names})',
  'twin.error.notRead': 'The source cannot be read: {error}',
  'twin.error.noClusters': 'The source cannot be copied: no permission to list Clusters, or no Karmada API. {error}',
  'twin.error.keptChanging':
    'The source changed faster than it could be read: {kind} expired {tries, number} times. Try again later.',
  'twin.error.noFile': 'Cannot read the export {file}: {error}',
  'twin.error.notJson': '{file} is not complete JSON: {error}. It may be truncated; export again.',
  'twin.error.tooDeep': '{file} is nested too deeply for an export',
  'twin.error.notAnExport': '{file} is neither a kubeconfig nor a federation export (kind FederationExport)',
  'twin.error.otherVersion': '{file} has the unknown version {apiVersion}; this version reads {known}',
  'twin.error.incomplete':
    '{file} contains {found, number} of {expected, number} objects. It is truncated; export again.',
  'twin.error.invalid': '{file} is not a valid export: {path}: {why}',
  'twin.error.hostileKey': '{file} contains the field name {key}, which no export has',
  'twin.error.noOutput': 'Cannot write {file}: {error}',
  'twin.error.usage': 'Unknown arguments: {error}',
  'twin.cli.help':
    'npm run -s twin -- export [--kubeconfig FILE] [--context NAME] [--anonymise] [-o FILE]\n\nCopies the federation of a control plane into a file, with get and list rights alone.\nWithout -o the export goes to standard output; the report goes to standard error.',
  'twin.cli.written': 'Exported {objects, plural, one {# object} other {# objects}} of {source} to {file}',
  'twin.cli.complete': 'Everything was copied',
  'twin.cli.omissions': 'Not copied as it is:',
  'twin.start.built':
    'Twin of {source} as of {at}: {clusters, plural, one {# cluster} other {# clusters}}, {bindings, plural, one {# binding} other {# bindings}}, {pods, plural, one {# pod} other {# pods}}',
  'twin.start.placed': 'Different placement in the twin:',
  'twin.start.workload': '{workload}: {reason}',
  'twin.start.stopHint': 'Ctrl-C; the twin ends with the process',
  'twin.start.more': '{n, plural, one {# more} other {# more}}, see the Control plane page',
} as const
