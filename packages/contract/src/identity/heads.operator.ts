import { get, put, T, Username } from '../define.ts'

/** Heads of organisations. */
export const organizationHeads = {
  list: get('/console-api/v1/organization-heads', {
    summary: 'List the heads of organisations',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(
      T.Object({ organization: T.String(), name: T.String(), heads: T.Array(T.String()) }),
    ),
  }),
  put: put('/console-api/v1/organization-heads/{organization}', {
    summary: 'Set the heads of an organisation; an empty list removes them',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ organization: T.String({ maxLength: 100 }) }),
    body: T.Object({ heads: T.Array(Username, { maxItems: 10 }) }),
    reply: T.Object({ organization: T.String(), name: T.String(), heads: T.Array(T.String()) }),
    errors: ['request.invalid'],
  }),
}
