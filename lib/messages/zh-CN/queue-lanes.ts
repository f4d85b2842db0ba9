import type { queueLanes as en } from '../en/queue-lanes'

export const queueLanes: Record<keyof typeof en, string> = {
  'lanes.legend':
    '条 = 用量，刻度 = 配额，斜线 = 借用，紫色 = 已暂停。块 = 按准入顺序排列的等待中的工作负载，宽度 = 请求量，时间 = 预计准入。',
  'lanes.label': '队列泳道',
  'lanes.more': '另有 {n, number} 个队列，请筛选查找。',
  'lanes.weight': '权重 {weight, number}',
  'lanes.noUse': '没有用量，没有配额',
  'lanes.none': '没有等待中的工作负载',
  'lanes.blocks': '{queue} 的等待中的工作负载，按准入顺序',
  'lanes.next': '下一个：{workload}。预计准入：{estimate}',
  'lanes.nextUnknown': '下一个：{workload}。{reason}无法预计准入时间。',
  'lanes.estimate': '预计准入：{estimate}',
  'lanes.range': '{from}–{to}',
  'lanes.rest': '另外 {n, number} 个等待中的工作负载',
  'lanes.blockName': '第 {position, number} 位：{workload}，{demand}。{reason}预计准入：{estimate}',
  'lanes.selected': '所选工作负载',
  'lanes.gone': '该工作负载已不在此队列中等待。',
  'lanes.position': '{queue} 中第 {position, number} 位',
  'lanes.try': '可尝试',
  'lanes.admit': '立即准入…',
  'lanes.resume': '恢复队列…',
  'lanes.quota': '提高配额…',
  'lanes.priority': '更改优先级…',
  'lanes.close': '关闭所选',
}
