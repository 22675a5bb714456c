import type { RelyingPartyContent } from '@atrium/contract/sso/registry'

type DemoParty = Partial<RelyingPartyContent> & {
  code: string
  /** name of its catalogue service */
  service?: string
}

/** Systems that members sign in to: a catalogue service that requires consent, and the service of `examples/cas`. */
export const relyingParties: DemoParty[] = [
  {
    code: 'library',
    name: '图书馆',
    nameEn: 'Library',
    service: '我的借阅',
    addresses: ['https://lib.jianglan.example/'],
    logoutUrl: 'https://lib.jianglan.example/cas/logout',
    attributes: ['name', 'identityType', 'email'],
    purpose: '办理借阅、预约与到期提醒',
    purposeEn: 'Loans, reservations and reminders before they are due',
    consentNeeded: true,
  },
  {
    code: 'cas-example',
    name: '示例应用',
    nameEn: 'Example service',
    addresses: ['http://localhost:4100/'],
    logoutUrl: 'http://localhost:4100/logout-notice',
    attributes: ['name', 'organization'],
    purpose: '演示统一登录',
    purposeEn: 'Showing how the central login works',
  },
]
