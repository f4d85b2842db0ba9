/** Import rules (docs/architecture.md). Each rule names the importing folder and the folders that it may not import. */
const only = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$|/testing/' },
  to: { pathNot: to, dependencyTypesNot: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
})

/** Folders of components/ that any feature may use; every other one is a feature. */
const SHARED_COMPONENTS =
  'ui|status|shell|hooks|messages|commands|login|timeline|notices|plan|queue-actions|fleet-summary|picture|pods|drill'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:' } },
    {
      name: 'nobody-imports-the-composition-root',
      severity: 'error',
      from: { pathNot: '^(tools/|server/(compose/|main\\.ts$|cli/rehearse\\.ts$))' },
      to: { path: '^server/(main\\.ts$|compose/)' },
    },
    {
      name: 'the-product-knows-no-tools',
      severity: 'error',
      from: { path: '^(app|components|lib|server)/' },
      to: { path: '^(tools|e2e)/' },
    },
    only('std-stands-alone', '^lib/std/', '^lib/std/'),
    only('kube-knows-std', '^lib/kube/', '^lib/(kube|std)/'),
    only('messages-stand-alone', '^lib/messages/', '^lib/(messages|std)/'),
    // Decisions return codes with arguments; the sentences of the catalogue are for those who show them.
    only('domain-knows-kube', '^lib/domain/', '^lib/(domain|kube|std)/|^lib/messages/message\\.ts$'),
    only('view-knows-domain', '^lib/view/', '^lib/(view|domain|kube|std|messages)/'),
    only('components-know-views', '^components/', '^(components/|lib/(view|std|messages)/)'),
    only('app-is-layout', '^app/', '^(app/|components/|lib/(view|std|messages)/)'),
    only('apiserver-stands-alone', '^server/apiserver/', '^(server/(apiserver|files)/|lib/(kube|std)/)'),
    only('client-knows-kube', '^server/kube/', '^(server/kube/|lib/(kube|std)/)'),
    only('runtime-knows-client', '^server/runtime/', '^(server/(runtime|kube|telemetry|files)/|lib/(kube|std)/)'),
    only(
      'reconcilers-decide-in-domain',
      '^server/reconcilers/',
      '^(server/(reconcilers|runtime|kube|files)/|lib/(domain|kube|std|messages)/)',
    ),
    only(
      'webhooks-decide-in-lib',
      '^server/webhooks/',
      '^(server/(webhooks|kube)/|server/runtime/controller\\.ts$|lib/(domain|kube|std|messages)/)',
    ),
    only('notices-know-views', '^server/notify/', '^(server/(notify|files)/|server/runtime/controller\\.ts$|lib/)'),
    only(
      'a-twin-knows-members',
      '^server/twin/',
      '^(server/(twin|members|kube|files)/|server/apiserver/index\\.ts$|lib/(domain|kube|std|messages)/)',
    ),
    only('members-speak-rest', '^server/members/', '^(server/(members|runtime|kube)/|lib/)'),
    only(
      'rehearsals-run-a-control-plane',
      '^server/rehearsal/',
      '^(server/(rehearsal|twin|apiserver|embedded|kube|runtime)/|lib/)',
    ),
    // Views see objects through the read model of their reader only: rights are decided in one place.
    only(
      'views-read-models-only',
      '^server/bff/views/(?!all\\.ts|failover\\.ts|workload-failovers\\.ts|incidents\\.ts)',
      '^(server/bff/(views/|read-model/|cache/signal\\.ts$|access/access\\.ts$)|lib/)',
    ),
    only(
      'bff-reads-caches',
      '^server/bff/',
      '^(server/(bff|kube|files)/|lib/|server/runtime/(controller|turns|worker-thread)\\.ts$)',
    ),
    {
      name: 'lib-is-isomorphic',
      severity: 'error',
      from: { path: '^lib/', pathNot: '\\.test\\.ts$|^lib/testing/' },
      to: { dependencyTypes: ['core'] },
    },
    // Features meet in app/; what several of them use is in a shared folder (components/README.md).
    {
      name: 'features-of-the-console-stand-alone',
      severity: 'error',
      from: { path: '^components/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^components/[^/]+/', pathNot: `^components/($1|${SHARED_COMPONENTS})/` },
    },
    {
      name: 'reconcilers-meet-only-in-the-api',
      severity: 'error',
      from: { path: '^server/reconcilers/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/reconcilers/([^/]+)/', pathNot: ['^server/reconcilers/$1/', '^server/reconcilers/shared/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|\\.next|dist|\\.evenkeel|\\.node)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
