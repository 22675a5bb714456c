import { get, OneOf, post, T, Username } from '../define.ts'

// Parameter names follow the CAS protocol 3.0, as does answering a missing parameter instead of refusing it:
// https://apereo.github.io/cas/7.2.x/protocol/CAS-Protocol-Specification.html
const service = T.Optional(T.String({ maxLength: 8000 }))
/** SAML 1.1 name for a service */
const TARGET = service
const flag = T.Optional(T.String({ maxLength: 10 }))
const lang = T.Optional(
  T.String({ maxLength: 100, description: 'zh or en; other values are ignored' }),
)
const method = T.Optional(
  T.String({ maxLength: 10, description: 'POST: the ticket is sent to the service by POST' }),
)

export const centralLogin = {
  enter: get('/cas', {
    summary: 'Redirect to the central login page; base address configured in other systems',
    access: 'public',
    media: 'text/html',
    reply: T.String(),
  }),
  enterFolder: get('/cas/', {
    summary: 'Redirect to the central login page; the same with a trailing slash',
    access: 'public',
    media: 'text/html',
    reply: T.String(),
  }),
  show: get('/cas/login', {
    summary: 'Show the central login page; with a session, redirect back to the service',
    access: 'public',
    query: T.Object({ service, TARGET, renew: flag, gateway: flag, method, lang }),
    media: 'text/html',
    reply: T.String(),
  }),
  submit: post('/cas/login', {
    summary: 'Sign in on the central login page',
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
    summary: "Submit the member's decision before being signed in to a service",
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
      'End the central session and the sessions of all services it was used for; asks for confirmation if opened from another site',
    access: 'public',
    query: T.Object({ service, lang }),
    media: 'text/html',
    reply: T.String(),
  }),
  leave: post('/cas/logout', {
    summary: "Submit the member's decision on ending the central session",
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
  service: parameter('address the ticket was issued for'),
  ticket: parameter('valid for one attempt'),
  renew: parameter('if set, only tickets of a new sign-in are accepted'),
}
const askedInForm = T.Object({
  ...asked,
  format: parameter('XML or JSON'),
  pgtUrl: parameter('not supported: no proxy tickets are issued'),
})

export const ticketValidation = {
  validate: get('/cas/validate', {
    summary: 'CAS 1.0: validate a ticket',
    access: 'public',
    query: T.Object(asked),
    media: 'text/plain',
    reply: T.String(),
  }),
  serviceValidate: get('/cas/serviceValidate', {
    summary: 'CAS 2.0: validate a ticket; responds in XML or JSON',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  p3ServiceValidate: get('/cas/p3/serviceValidate', {
    summary: 'CAS 3.0: validate a ticket; responds in XML or JSON',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  proxyValidate: get('/cas/proxyValidate', {
    summary: 'CAS 2.0: validate a ticket; proxy tickets do not exist',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  p3ProxyValidate: get('/cas/p3/proxyValidate', {
    summary: 'CAS 3.0: validate a ticket; proxy tickets do not exist',
    access: 'public',
    query: askedInForm,
    media: 'application/xml',
    reply: T.String(),
  }),
  proxy: get('/cas/proxy', {
    summary: 'CAS 2.0: request a proxy ticket; always refused',
    access: 'public',
    media: 'application/xml',
    reply: T.String(),
  }),
  samlValidate: post('/cas/samlValidate', {
    summary: 'SAML 1.1: validate a ticket sent as artifact in a SOAP envelope',
    access: 'public',
    query: T.Object({ TARGET: parameter('address the ticket was issued for') }),
    body: T.Object({ xml: T.String({ description: 'the envelope, as text/xml' }) }),
    media: 'application/xml',
    reply: T.String(),
  }),
}
