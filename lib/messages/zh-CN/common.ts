import type { common as en } from '../en/common'

export const common: Record<keyof typeof en, string> = {
  'common.loadingPage': '正在加载页面',
  'common.state.ok': '健康',
  'common.state.active': '进行中',
  'common.state.warn': '降级',
  'common.state.fail': '失败',
  'common.state.held': '已暂停',
  'common.state.unknown': '未知',
  'common.never': '从未',
  'common.moment': '{time} UTC',
  'common.requested': '{action}：已请求',
  'common.showAllStates': '仅显示此状态；点击显示全部',
  'common.conditions': '状况',
  'common.noConditions': '尚未报告任何状况。',
  'common.conditionType': '类型',
  'common.conditionStatus': '状态',
  'common.conditionReason': '原因',
  'common.conditionMessage': '消息',
  'common.conditionSince': '起始',
  'common.step': '{name}：{progress, select, done {已完成} now {进行中} other {未开始}}',
  'common.stepMeaning': '{name}：{meaning}',
  'common.counts':
    '就绪 {ready, number}/{desired, number}{others, select, none {} other {，当前 {current, number}}}{unknown, plural, =0 {} other {，未知 #}}{old, plural, =0 {} other {，旧副本 #}}{oldReady, plural, =0 {} other {（# 个就绪）}}{oldUnknown, plural, =0 {} other {，最多 # 个未知的旧副本}}',
  'common.countNote.unknown': '{n, number} 未知',
  'common.countNote.old': '{n, number} 旧',
  'common.countNote.oldUnknown': '{n, number} 旧副本未知',
}
