import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A named set of permissions.
    create table operator_role (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      permissions text[] not null
        check (permissions <@ array['content', 'services', 'messages', 'identity', 'system'] and cardinality(permissions) > 0),
      built_in boolean not null default false
    );
    insert into operator_role (code, name, name_en, permissions, built_in) values
      ('administrator', '系统管理员', 'Administrator', '{content,services,messages,identity,system}', true),
      ('editor', '内容编辑', 'Editor', '{content}', true),
      ('services', '服务管理员', 'Service manager', '{services}', true),
      ('messenger', '消息管理员', 'Messenger', '{messages}', true),
      ('directory', '人员管理员', 'Directory manager', '{identity}', true);

    -- A grant names a permission or a role, for an organisation and all below it, or for everything.
    alter table operator_grant
      drop constraint operator_grant_pkey,
      alter column permission drop not null,
      add column id bigint generated always as identity primary key,
      add column role_id bigint references operator_role on delete cascade,
      add column organization_id bigint references organization on delete cascade,
      add constraint operator_grant_what check ((permission is null) <> (role_id is null)),
      -- the running of the installation is of no organisation
      add constraint operator_grant_whole check (permission is distinct from 'system' or organization_id is null),
      add unique nulls not distinct (account_id, permission, role_id, organization_id);
    create index operator_grant_role on operator_grant (role_id) where role_id is not null;
    create index operator_grant_organization on operator_grant (organization_id) where organization_id is not null;

    -- What every account may do, one row a permission and place.
    create view operator_permission as
      select g.id as grant_id, g.account_id, p.permission, g.organization_id, o.code as organization_code
      from operator_grant g
      left join operator_role r on r.id = g.role_id
      left join organization o on o.id = g.organization_id
      cross join lateral unnest(coalesce(r.permissions, array[g.permission])) as p (permission)
      where p.permission <> 'system' or g.organization_id is null;

    -- What operators did. Who did it is kept as words, for an entry outlives the account. Numbered without a gap, and each
    -- entry holds the hash of the one before: what is changed, taken out or put in later shows.
    create table audit_entry (
      id bigint primary key,
      happened_at timestamptz not null,
      channel text not null check (channel in ('api', 'cli', 'job')),
      operator_account_id bigint,
      operator text not null,
      operator_name text not null default '',
      address text not null default '',
      request_id text not null default '',
      action text not null,
      -- JSON as text: the hash is over its very characters
      details text not null default '{}',
      outcome text not null default 'ok',
      previous_hash text not null,
      hash text not null unique
    );
    create index audit_entry_operator on audit_entry (operator, id desc);
    create index audit_entry_time on audit_entry (happened_at);

    create function audit_entry_chain() returns trigger language plpgsql as $$
    declare
      before record;
    begin
      -- One after the other, until each transaction ends: the next one reads what this one wrote.
      perform pg_advisory_xact_lock(7301, 19);
      select id, hash into before from audit_entry order by id desc limit 1;
      new.id := coalesce(before.id, 0) + 1;
      new.happened_at := clock_timestamp();
      new.previous_hash := coalesce(before.hash, '');
      select encode(sha256(convert_to(string_agg(octet_length(convert_to(part, 'UTF8')) || ':' || part, ',' order by at), 'UTF8')), 'hex')
      into new.hash
      from unnest(array[
        new.previous_hash, new.id::text, to_char(new.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ'),
        new.channel, coalesce(new.operator_account_id::text, ''), new.operator, new.operator_name, new.address,
        new.request_id, new.action, new.details, new.outcome
      ]) with ordinality as parts (part, at);
      return new;
    end $$;
    create trigger audit_entry_chain before insert on audit_entry for each row execute function audit_entry_chain();

    -- The end of the chain as it was at a moment, signed with the secret of the installation, which the database does not
    -- know: a chain that was written anew from some entry on does not fit it.
    create table audit_checkpoint (
      entry_id bigint primary key,
      hash text not null,
      signature text not null,
      made_at timestamptz not null default now()
    );

    create function audit_refuse() returns trigger language plpgsql as $$
    begin
      if tg_op = 'TRUNCATE' and not exists (select from audit_entry) then return null; end if;
      raise exception 'the audit log is only ever added to' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_entry_keep before update or delete on audit_entry for each row execute function audit_refuse();
    create trigger audit_entry_keep_all before truncate on audit_entry for each statement execute function audit_refuse();
    create trigger audit_checkpoint_keep before update or delete on audit_checkpoint for each row execute function audit_refuse();
    create trigger audit_checkpoint_keep_all before truncate on audit_checkpoint for each statement execute function audit_refuse();

    -- What a member chose; null: as the institution set it.
    create table privacy_setting (
      account_id bigint primary key references account on delete cascade,
      mobile_shown_to text check (mobile_shown_to in ('everybody', 'organization', 'nobody')),
      email_shown_to text check (email_shown_to in ('everybody', 'organization', 'nobody')),
      portrait_shown_to text check (portrait_shown_to in ('everybody', 'organization', 'nobody')),
      use_recorded boolean,
      letters_allowed boolean,
      updated_at timestamptz not null default now()
    );

    -- Members somebody does not want to hear from.
    create table member_block (
      account_id bigint not null references account on delete cascade,
      blocked_account_id bigint not null references account on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, blocked_account_id),
      check (account_id <> blocked_account_id)
    );
    create index member_block_blocked on member_block (blocked_account_id);

    -- How often somebody looked for members within a minute.
    create table member_lookup (
      account_id bigint primary key references account on delete cascade,
      since timestamptz not null default now(),
      count integer not null default 1
    );
    create index person_name_prefix on person (name text_pattern_ops);
    create index person_name_en_prefix on person (lower(name_en) text_pattern_ops);

    -- Everything held about a person as one file, the last one that was asked for.
    create table personal_export (
      person_id bigint primary key references person on delete cascade,
      account_id bigint not null references account on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'ready', 'failed', 'gone')),
      file_id bigint references file on delete set null,
      requested_at timestamptz not null default now(),
      ready_at timestamptz,
      expires_at timestamptz
    );
    create index personal_export_status on personal_export (status);

    -- Requests to close the accounts of a person.
    create table account_closing (
      id bigint generated always as identity primary key,
      person_id bigint not null references person on delete cascade,
      account_id bigint not null references account on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'withdrawn', 'refused', 'done')),
      reason text not null default '',
      requested_at timestamptz not null default now(),
      due_at timestamptz not null,
      decided_at timestamptz,
      answer text not null default ''
    );
    create unique index account_closing_waiting on account_closing (person_id) where status = 'waiting';
    create index account_closing_due on account_closing (due_at) where status = 'waiting';
  `.execute(db)
}
