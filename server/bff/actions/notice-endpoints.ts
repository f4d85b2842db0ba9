/** Receivers of notices. They come from the configuration; a user may list and test them. */
import { randomUUID } from 'node:crypto'
import { message } from '@/lib/messages/message'
import { noticeReceiversNeeds, testReceiverNeeds } from '@/lib/view/needs'
import { noticeReceiversSchema, noticeTestSchema } from '@/lib/view/schemas/notices'
import { type AnyEndpoint, endpoint } from '../http/endpoint'
import type { ApiDeps } from './api-deps'
import { missing } from './fleet-endpoints'

export function noticeEndpoints({ notices }: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/notice-receivers',
      kind: 'query',
      tag: 'api.tag.controlPlane',
      summary: 'api.endpoint.noticeReceivers',
      description: 'api.endpoint.noticeReceivers.description',
      response: noticeReceiversSchema,
      needs: noticeReceiversNeeds,
      perform: async () => ({ receivers: (await notices?.list()) ?? [] }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/notice-receivers/{receiver}/test',
      kind: 'action',
      tag: 'api.tag.controlPlane',
      summary: 'api.action.testReceiver',
      description: 'api.endpoint.testReceiver.description',
      event: 'NoticeTestedByUser',
      response: noticeTestSchema,
      needs: ({ params: { receiver = '' } }) => testReceiverNeeds(receiver),
      perform: async ({ params: { receiver = '' }, keyed, concerns }) => {
        concerns({
          object: { apiVersion: 'evenkeel.io/v1alpha1', kind: 'NoticeReceiver', name: receiver },
          summary: message('api.action.testReceiverNamed', { receiver }),
        })
        const outcome = await notices?.test(receiver, keyed?.id ?? randomUUID())
        if (!outcome) throw missing('NoticeReceiver', receiver)
        return { body: outcome }
      },
    }),
  ]
}
