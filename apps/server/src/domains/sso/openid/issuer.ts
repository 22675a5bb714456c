/** Where the OpenID provider is: below the central login, whose cookie says who is signed in. */
export const openidPath = '/cas/oidc'
