import { get, put } from '../define.ts'
import { AttentionSettings } from './notifications.ts'

/** Delivery defaults for members who have not chosen. */
export const attentionDefaults = {
  read: get('/console-api/v1/attention', {
    summary: 'Get the default attention settings of members who have not chosen',
    access: 'operator',
    permission: 'messages',
    reply: AttentionSettings,
  }),
  update: put('/console-api/v1/attention', {
    summary: 'Set the default attention settings of members who have not chosen',
    access: 'operator',
    permission: 'messages',
    body: AttentionSettings,
    reply: AttentionSettings,
    errors: ['request.invalid'],
  }),
}
