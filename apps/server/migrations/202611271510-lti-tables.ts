import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A tool that courses may use by LTI 1.3; we are its platform.
    create table lti_tool (
      id bigint generated always as identity primary key,
      client_id text not null unique,
      deployment_id text not null,
      name text not null,
      name_en text not null default '',
      initiate_url text not null,
      target_url text not null,
      redirect_uris text[] not null,
      -- empty: it lets nobody choose what to link
      deep_link_url text not null default '',
      jwks_url text not null default '',
      jwks jsonb,
      scopes text[] not null default '{}',
      custom jsonb not null default '{}',
      tells_name boolean not null default false,
      tells_email boolean not null default false,
      enabled boolean not null default true,
      created_at timestamptz not null default now(),
      check (jwks is not null or jwks_url <> '')
    );

    -- What of a tool stands in a course: beside its material.
    create table lti_link (
      material_id bigint primary key references study_material on delete cascade,
      tool_id bigint not null references lti_tool on delete cascade,
      target_url text not null,
      custom jsonb not null default '{}',
      -- where its marks go
      assignment_id bigint references study_assignment on delete set null
    );
    create index lti_link_tool on lti_link (tool_id);
    create index lti_link_assignment on lti_link (assignment_id) where assignment_id is not null;

    create table lti_line_item (
      assignment_id bigint primary key references study_assignment on delete cascade,
      tool_id bigint not null references lti_tool on delete cascade,
      tag text not null default '',
      resource_id text not null default ''
    );
    create index lti_line_item_tool on lti_line_item (tool_id);

    -- Somebody on the way to a tool: once, within minutes, in the browser they began in.
    create table lti_launch (
      hint_hash text primary key,
      tool_id bigint not null references lti_tool on delete cascade,
      account_id bigint not null references account on delete cascade,
      course_id bigint not null references course on delete cascade,
      -- null: to choose what to link
      material_id bigint references study_material on delete cascade,
      browser_hash text not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      -- of a choice: when it came back
      chosen_at timestamptz
    );
    create index lti_launch_account on lti_launch (account_id);
    create index lti_launch_expires on lti_launch (expires_at);

    -- What a tool has signed is taken once.
    create table lti_used (
      tool_id bigint not null references lti_tool on delete cascade,
      value text not null,
      expires_at timestamptz not null,
      primary key (tool_id, value)
    );
    create index lti_used_expires on lti_used (expires_at);
  `.execute(db)
}
