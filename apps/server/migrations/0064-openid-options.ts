import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- RS256 keys of the OpenID provider. A table of their own: the release before reads every row of signing_key as ES256.
    create table openid_rsa_key (
      kid text primary key,
      public_jwk jsonb not null,
      sealed_private_jwk text not null,
      created_at timestamptz not null default now()
    );

    alter table relying_party
      add column id_token_alg text not null default 'ES256' check (id_token_alg in ('ES256', 'RS256')),
      -- public keys it signs its own requests for tokens with (private_key_jwt): a JWK set, or where it is
      add column jwks text not null default '',
      add column jwks_url text not null default '',
      -- whether it knows members under names of its own
      add column pairwise boolean not null default false,
      add column offline_access boolean not null default false,
      -- mounts whose integrators' calls it may make
      add column integrations text[] not null default '{}',
      -- CAS: what it calls attributes, by our names for them
      add column attribute_names jsonb not null default '{}';
  `.execute(db)
}
