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
  'server.advice.authority':
    '将 kubeconfig 中该集群的 certificate-authority 或 certificate-authority-data 设置为此 API 服务器的 CA。',
  'server.advice.address': '检查 kubeconfig 中该集群的 server，并确认本机可以连接它。',
  'server.advice.expiredCertificate': '更新 API 服务器的证书，并检查本机的时钟。',
  'server.advice.clock': '检查本机的时钟和 API 服务器的证书。',
  'server.advice.hostName': '将 kubeconfig 中该集群的 server 改为证书中的主机名，或将 tls-server-name 设置为其中之一。',
  'server.advice.renew': '更新 kubeconfig 中用户的 token 或客户端证书；它可能已过期。',
  'server.advice.grant': '为 kubeconfig 中的用户授予 chart 中的 ClusterRole。',
  'server.advice.plugin': '在本机以运行 Evenkeel 的用户执行此命令：{command}',
}
