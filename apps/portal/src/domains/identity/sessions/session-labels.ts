import type { DeviceDescription } from '@atrium/contract/identity/sessions'
import { m } from '#paraglide/messages.js'
import type { IconName } from '#ui/media/icon.tsx'

const programs: Record<string, () => string> = {
  wechat: m.sessions_program_wechat,
  wecom: m.sessions_program_wecom,
  dingtalk: m.sessions_program_dingtalk,
  alipay: m.sessions_program_alipay,
  feishu: m.sessions_program_feishu,
  qq: m.sessions_program_qq,
  superApp: m.sessions_program_app,
}
const kinds = {
  phone: m.sessions_kind_phone,
  tablet: m.sessions_kind_tablet,
  computer: m.sessions_kind_computer,
  other: m.sessions_kind_other,
}
const methods: Record<string, () => string> = {
  password: m.sessions_way_password,
  sms: m.sessions_way_sms,
  passkey: m.sessions_way_passkey,
  scan: m.sessions_way_scan,
  wechat: m.sessions_way_wechat,
  wecom: m.sessions_way_wecom,
  directory: m.sessions_way_directory,
  federated: m.sessions_way_federated,
}
const results: Record<string, () => string> = {
  ok: m.sessions_result_ok,
  refused: m.sessions_result_refused,
  blocked: m.sessions_result_blocked,
}

/** iPhone · 微信, Windows · Edge: the known parts. */
export function deviceName({ kind, model, system, program }: DeviceDescription) {
  const device = model || system || (program ? '' : kinds[kind]())
  return [device, programs[program]?.() ?? program].filter(Boolean).join(' · ')
}

export const deviceIcon = ({ kind }: DeviceDescription): IconName =>
  kind === 'computer' ? 'desktop' : kind === 'other' ? 'globe' : 'mobile'

export const placeText = ({ place, address }: { place: string; address: string }) =>
  place ? `${place} · ${address}` : address

export const methodText = (method: string) => (methods[method] ?? m.sessions_way_other)()

export const resultText = (result: string) => (results[result] ?? m.sessions_result_other)()
