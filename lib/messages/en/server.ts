/** Pages and advice of the server itself, for when the pages of the console cannot be shown. */
export const server = {
  'server.failure.title': 'Page failed to render',
  'server.failure.detail':
    'The server failed to render this page. The clusters and workloads are not affected. The server log has the cause under request ID {requestId}.',
  'server.failure.retry': 'Try again',
  'server.failure.overview': 'Go to Overview',
  'server.connection.title': 'Cannot connect to the control plane',
  'server.connection.connecting': 'Connecting to the control plane',
  'server.connection.server': 'API server: {server}',
  'server.connection.cause': 'Cause: {cause}',
  'server.connection.advice': 'What to do: {advice}',
  'server.connection.inLog': 'The cause and what to do are in the log of the server.',
  'server.connection.since':
    'Disconnected since {since} UTC. Evenkeel retries every {every}, and this page reloads automatically.',
  'server.connection.unready': 'not connected to the control plane: {cause}',
  'server.connection.detail': 'Evenkeel cannot connect to the control plane {server}: {cause}. {advice}',
  'server.connection.unusable': 'Evenkeel cannot connect to a control plane: {cause}. {advice}',
  'server.advice.authority':
    'Set certificate-authority or certificate-authority-data of the cluster in the kubeconfig to the CA of this API server.',
  'server.advice.address':
    'Check the server of the cluster in the kubeconfig, and that this machine can connect to it.',
  'server.advice.expiredCertificate': 'Renew the certificate of the API server, and check the clock of this machine.',
  'server.advice.clock': 'Check the clock of this machine, and the certificate of the API server.',
  'server.advice.hostName':
    'Use a host name of the certificate as server of the cluster in the kubeconfig, or set tls-server-name to one.',
  'server.advice.renew': 'Renew the token or the client certificate of the user in the kubeconfig.',
  'server.advice.grant': 'Grant the user of the kubeconfig the ClusterRole of the chart.',
  'server.advice.hostUserLacks':
    'Allow {user}, the user of --host-kubeconfig, to get and list deployments.apps in the namespace {namespace} of the host cluster, or give the arguments with --karmada-flags.',
  'server.advice.hostLacks':
    'Allow the user of --host-kubeconfig to get and list deployments.apps in the namespace {namespace} of the host cluster, or give the arguments with --karmada-flags.',
  'server.advice.plugin': 'Run this command on this machine, as the user that runs Evenkeel: {command}',
  'server.advice.kubeconfigMissing':
    'Create the file, or set --kubeconfig (KUBECONFIG) to an existing one. It is read again every two seconds.',
  'server.advice.kubeconfigUnreadable':
    'Let the user that runs Evenkeel read the file: chown or chmod it, or name another one.',
  'server.advice.kubeconfigInvalid':
    'Correct the YAML of the file. Check it with: kubectl config view --kubeconfig FILE',
  'server.advice.kubeconfigFiles':
    'Correct the path of the certificate, key or token in the kubeconfig, or embed it with: kubectl config view --flatten',
  'server.advice.pod':
    'Set --kubeconfig to the path of a kubeconfig; in-cluster is for a pod with a service account token.',
  'server.advice.context': 'Set --context (EVENKEEL_CONTEXT) to a context of the kubeconfig, or leave it out.',
  'server.advice.cluster':
    'Set current-context of the kubeconfig, or --context, to a context whose cluster has a server.',
  'server.advice.proxy':
    'Check that the proxy {proxy} is reachable and allows connections to the API server. It comes from proxy-url in the kubeconfig, or HTTPS_PROXY; NO_PROXY excludes hosts.',
  'server.advice.proxyInvalid':
    'Set proxy-url of the cluster in the kubeconfig, or HTTPS_PROXY, to an address such as http://proxy.example:3128.',
  'server.event.FailedGetBindings': 'The target has no binding: no policy propagates it.',
} as const
