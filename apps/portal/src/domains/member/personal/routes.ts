import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const personalScreens = {
  '/pages/myInfo/myInfo': {
    area: 'personal',
    title: m.personal_profile,
    access: 'member',
    page: () => import('#domains/member/personal/profile-page.tsx'),
  },
  '/pages/set/set': {
    area: 'personal',
    title: m.personal_settings,
    access: 'member',
    page: () => import('#domains/member/personal/settings-page.tsx'),
  },
  '/pages/privacyPolicy/index': {
    area: 'personal',
    title: m.personal_privacy,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/agreement': {
    area: 'personal',
    title: m.personal_agreement,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/privacyGuidelines': {
    area: 'personal',
    title: m.personal_privacy_guidelines,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/faceProtocol': {
    area: 'personal',
    title: m.personal_privacy_face,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/personalInformation': {
    area: 'personal',
    title: m.personal_privacy_information,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/thirdParty': {
    area: 'personal',
    title: m.personal_privacy_third_party,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/privacyPolicy/privacyProtection': {
    area: 'personal',
    title: m.personal_privacy_protection,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/about/detail': {
    area: 'personal',
    title: m.personal_about_detail,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/about/about': {
    area: 'personal',
    title: m.personal_about,
    access: 'public',
    page: () => import('#domains/member/personal/about-page.tsx'),
  },
  '/pages/about/privacy': {
    area: 'personal',
    title: m.personal_privacy,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/about/agreement': {
    area: 'personal',
    title: m.personal_agreement,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/login/userAgreement': {
    area: 'personal',
    title: m.login_agreement_title,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
  '/pages/login/userPrivacy': {
    area: 'personal',
    title: m.login_privacy_title,
    access: 'public',
    page: () => import('#domains/member/personal/policy-page.tsx'),
  },
} satisfies Record<string, Screen>
