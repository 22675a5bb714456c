import { get, OneOf, post, T, Username } from '../define.ts'

// Parameter names follow the CAS protocol 3.0, as does answering a missing parameter instead of refusing it:
// https://apereo.github.io/cas/7.2.x/protocol/CAS-Protocol-Specification.html
const service = T.Optional(T.String({ maxLength: 8000 }))
/** SAML 1.1 name for a service */
const TARGET = service
const flag = T.Optional(T.String({ maxLength: 10 }))
const lang = T.Optional(
  T.String({ maxLength: 100, description: 'zh or en; any other counts as none' }),
)
const method = T.Optional(
  T.String({ maxLength: 10, description: 'POST: the ticket is posted to the service' }),
)

export const centralLogin = {
  enter: get('/cas', {
    summary: 'To the central login page: what systems are told its address is',
    access: 'public',
    media: 'text/html',
    reply: T.String(),
  }),
  enterFolder: get('/cas/', {
    summary: 'The same, as many write it',
    access: 'public',
    media: 'text/html',
    reply: T.String(),
  }),
  show: get('/cas/login', {
    summary: 'The central login page; with a session, the way back to the service',
    access: 'public',
    query: T.Object({ service, TARGET, renew: flag, gateway: flag, method, lang }),
    media: 'text/html',
    reply: T.String(),
  }),
  submit: post('/cas/login', {
    summary: 'Sign in at the central login page',
    access: 'public',
    body: T.Object({
      username: T.Optional(Username),
      password: T.Optional(T.String({ maxLength: 200 })),
      lt: T.Optional(T.String({ maxLength: 400 })),
      service,
      TARGET,
      method,
      renew: flag,
      warn: flag,
      rememberMe: flag,
      lang,
    }),
    media: 'text/html',
    reply: T.String(),
  }),
  confirm: post('/cas/confirm', {
    summary: 'What a member answers before they are signed in to a service',
    access: 'public',
    body: T.Object({
      lt: T.Optional(T.String({ maxLength: 400 })),
      service,
      TARGET,
      method,
      decision: T.Optional(OneOf(['go', 'no'])),
      lang,
    }),
    media: 'text/html',
    reply: T.String(),
  }),
  logout: get('/cas/logout', {
    summary:
      'End the central session, and with it those of every service it was used for; who was led here by another site is asked first',
    access: 'public',
    query: T.Object({ service, lang }),
    media: 'text/html',
    reply: T.String(),
  }),
  leave: post('/cas/logout', {
    summary: 'What a member answers who was asked',
    access: 'public',
    body: T.Object({
      lt: T.Optional(T.String({ maxLength: 400 })),
      service,
      decision: T.Optional(OneOf(['go', 'no'])),
      lang,
    }),
    media: 'text/html',
    reply: T.String(),
  }),
}

/** Accepts any form: an invalid parameter is answered with a protocol error rather than rejected by validation. */
const parameter = (description: string) =>
  T.Optional(T.Union([T.String(), T.Array(T.String())], { description }))
const asked = {
  service: parameter('the address the ticket was made for'),
  ticket: parameter('good for one try'),
  renew: parameter('set: only a ticket of a new sign-in is good'),
}
const askedInForm = T.Object({
  ...asked,
  format: parameter('XML or JSON'),
  pgtUrl: parameter('refused: no proxy tickets'),
})

export const ticketValidation = {
  validate: get('/cas/validate', {
    summary: 'CAS 1.0: whose a ticket is',
    access: 'public',
    query: T.Object(asked),
    media: 'text/plain',
    reply: T.String(),
  }),
  serviceValidate: get('/cas/serviceValidate', {
    summary: 'CAS 2.0: whose a ticket is, in XML or JSON',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  p3ServiceValidate: get('/cas/p3/serviceValidate', {
    summary: 'CAS 3.0: the same',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  proxyValidate: get('/cas/proxyValidate', {
    summary: 'CAS 2.0: the same; there are no proxy tickets',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  p3ProxyValidate: get('/cas/p3/proxyValidate', {
    summary: 'CAS 3.0: the same',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  proxy: get('/cas/proxy', {
    summary: 'CAS 2.0: a proxy ticket; always refused',
    access: 'public',
    media: 'application/xml',
    reply: T.String(),
  }),
  samlValidate: post('/cas/samlValidate', {
    summary: 'Whose a ticket is, in SAML 1.1: a SOAP envelope with the ticket as an artifact',
    access: 'public',
    query: T.Object({ TARGET: parameter('the address the ticket was made for') }),
    body: T.Object({ xml: T.String({ description: 'the envelope itself, as text/xml' }) }),
    media: 'application/xml',
    reply: T.String(),
  }),
}
