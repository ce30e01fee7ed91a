// The options of `oidc-provider`: those that all shapes have in common, and those of a shape.

import { generateKeyPairSync } from 'node:crypto';

import { clientMetadata } from './client_documents.mjs';

/** The lifetime of an access token whose sign-in names no other one, in seconds. */
const ACCESS_TOKEN_SECONDS = 3600;
/** Lifetimes of the other tokens, of codes and of sessions, in seconds. */
const SECONDS = {
  AuthorizationCode: 60,
  Grant: 86400,
  IdToken: 3600,
  Interaction: 600,
  RefreshToken: 86400,
  Session: 86400,
};
/** Scopes of OpenID Connect that a person always consents to. */
const IDENTITY_SCOPES = 'openid email profile phone';

/**
 * Returns a function that creates options with a new signing key. The key identifier is always the same. `fetch` is the
 * function with which the provider fetches client metadata documents.
 */
export function providerOptions(plan, shape, people, fetch) {
  const dataScopes = shape.dataScopes ?? [];
  /** The lifetimes of access tokens by grant, in seconds. */
  const lifetimes = new Map();
  return () => ({
    jwks: { keys: [signingKey()] },
    clients: plan.clients.map(({ id, redirect_uris }) => clientMetadata(id, redirect_uris)),
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, sub) => people.has(sub) && account(people.get(sub)),
    interactions: { url: (_context, interaction) => `${shape.path}/interaction/${interaction.uid}` },
    ttl: { ...SECONDS, AccessToken: (_context, token) => lifetimes.get(token.grantId) ?? ACCESS_TOKEN_SECONDS },
    fetch,
    loadExistingGrant: (context) => grant(context, dataScopes, lifetimes),
    ...shape.configuration({ people, plan }),
    features: {
      devInteractions: { enabled: false },
      clientIdMetadataDocument: { enabled: shape.readsClientDocuments, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:passbook',
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: [IDENTITY_SCOPES, ...dataScopes].join(' '),
          audience: shape.audience(resource),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
}

/**
 * Returns a grant for the resources of the request, with the scopes that the person consents to. Notes the lifetime of the
 * grant's access tokens if the request names one.
 */
async function grant(context, dataScopes, lifetimes) {
  const { client, session, params } = context.oidc;
  const made = new context.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  const consented = context.get('consent-to') ? context.get('consent-to').split(' ') : dataScopes;
  made.addOIDCScope(`${IDENTITY_SCOPES} offline_access`);
  for (const resource of ['urn:passbook', params.resource].flat().filter((one) => one !== undefined)) {
    made.addResourceScope(resource, IDENTITY_SCOPES);
    for (const scope of dataScopes) {
      if (consented.includes(scope)) made.addResourceScope(resource, scope);
      else made.rejectResourceScope(resource, scope);
    }
  }
  const grantId = await made.save();
  const seconds = Number(context.get('token-seconds'));
  if (seconds > 0) lifetimes.set(grantId, seconds);
  return made;
}

function account(person) {
  const claims = { sub: person.sub, email: person.email, email_verified: true, name: person.email };
  return { accountId: person.sub, claims: () => claims };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'of-this-run' };
}
