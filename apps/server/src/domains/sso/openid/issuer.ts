/** Path of the OpenID provider, below the central login so that it receives that cookie. */
export const openidPath = '/cas/oidc'
