import type { NoticeOutcome, NoticeReceiverView } from '@/lib/view/schemas/notices'

/** The receivers of notices as the API uses them; `server/notify` implements them. */
export interface NoticeReceivers {
  list(): Promise<NoticeReceiverView[]>
  /** Undefined when there is no such receiver. */
  test(name: string, key: string): Promise<NoticeOutcome | undefined>
}
