import type { server as en } from '../en/server'

export const server: Record<keyof typeof en, string> = {
  'server.failure.title': '页面渲染失败',
  'server.failure.detail': '服务器未能渲染此页面。集群和工作负载不受影响。原因见服务器日志，请求 ID 为 {requestId}。',
  'server.failure.retry': '重试',
  'server.failure.overview': '前往概览',
  'server.connection.title': '无法连接控制面',
  'server.connection.connecting': '正在连接控制面',
  'server.connection.server': 'API 服务器：{server}',
  'server.connection.cause': '原因：{cause}',
  'server.connection.advice': '处理办法：{advice}',
  'server.connection.inLog': '原因和处理办法见服务器日志。',
  'server.connection.since': '始于 {since} UTC。每 {every}重试一次连接，此页面会自动刷新。',
  'server.connection.unready': '未连接到控制面：{cause}',
  'server.connection.detail': 'Evenkeel 无法连接控制面 {server}：{cause}。{advice}',
  'server.connection.unusable': 'Evenkeel 无法连接控制面：{cause}。{advice}',
  'server.advice.authority':
    '将 kubeconfig 中该集群的 certificate-authority 或 certificate-authority-data 设置为此 API 服务器的 CA。',
  'server.advice.address': '检查 kubeconfig 中该集群的 server，并确认本机可以连接它。',
  'server.advice.expiredCertificate': '更新 API 服务器的证书，并检查本机的时钟。',
  'server.advice.clock': '检查本机的时钟和 API 服务器的证书。',
  'server.advice.hostName': '将 kubeconfig 中该集群的 server 改为证书中的主机名，或将 tls-server-name 设置为其中之一。',
  'server.advice.renew': '更新 kubeconfig 中用户的 token 或客户端证书。',
  'server.advice.grant': '为 kubeconfig 中的用户授予 chart 中的 ClusterRole。',
  'server.advice.hostUserLacks':
    '允许 --host-kubeconfig 的用户 {user} 在宿主集群的命名空间 {namespace} 中 get 和 list deployments.apps，或用 --karmada-flags 给出参数。',
  'server.advice.hostLacks':
    '允许 --host-kubeconfig 的用户在宿主集群的命名空间 {namespace} 中 get 和 list deployments.apps，或用 --karmada-flags 给出参数。',
  'server.advice.plugin': '在本机以运行 Evenkeel 的用户执行此命令：{command}',
  'server.advice.kubeconfigMissing':
    '创建该文件，或将 --kubeconfig（KUBECONFIG）设置为已有的文件。该文件每两秒重新读取一次。',
  'server.advice.kubeconfigUnreadable': '让运行 Evenkeel 的用户能够读取该文件：使用 chown 或 chmod，或指定其他文件。',
  'server.advice.kubeconfigInvalid': '更正该文件的 YAML。可以这样检查：kubectl config view --kubeconfig FILE',
  'server.advice.kubeconfigFiles':
    '更正 kubeconfig 中证书、密钥或 token 的路径，或用 kubectl config view --flatten 将其嵌入。',
  'server.advice.pod': '将 --kubeconfig 设置为 kubeconfig 的路径；in-cluster 用于带有服务账号 token 的 Pod。',
  'server.advice.context': '将 --context（EVENKEEL_CONTEXT）设置为 kubeconfig 中的上下文，或不设置它。',
  'server.advice.cluster': '将 kubeconfig 的 current-context 或 --context 设置为一个其集群带有 server 的上下文。',
  'server.advice.proxy':
    '确认代理 {proxy} 可以访问，并且允许连接 API 服务器。它来自 kubeconfig 中的 proxy-url 或 HTTPS_PROXY；NO_PROXY 可排除主机。',
  'server.advice.proxyInvalid':
    '将 kubeconfig 中该集群的 proxy-url 或 HTTPS_PROXY 设置为地址，例如 http://proxy.example:3128。',
  'server.event.FailedGetBindings': '目标没有绑定：没有策略分发它。',
}
