import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table service
      -- shown and usable between the two; empty: no limit
      add valid_from timestamptz,
      add valid_until timestamptz,
      -- terminal codes of the specification (1 PC, 2 super app, 3 and 4 mini-programs, 6 H5); empty: everywhere
      add terminals text[] not null default '{}'
        check (terminals <@ array['1', '2', '3', '4', '6']),
      add marks text[] not null default '{}'
        check (marks <@ array['new', 'hot', 'official', 'trial']),
      add force_recommended boolean not null default false,
      -- where it comes from and how it is built, as an operator words it
      add source text not null default '',
      add tech_type text not null default '',
      add card_file_id bigint references file,
      -- auto: an internal address as a screen, any other as a web page inside the app
      add opening text not null default 'auto'
        check (opening in ('auto', 'route', 'webview', 'browser', 'viewer', 'miniProgram')),
      -- the fields of sysNavigateToMiniProgram, where it opens so
      add mini_program jsonb,
      -- [{ tokenType, tokenKey }]; null: nothing is said, and the configuration decides by the address
      add token_accept jsonb,
      add have_guide boolean not null default false,
      -- the words it is found by; null: they have to be made anew
      add search tsvector,
      -- and its plain text, for parts of words
      add search_text text not null default '',
      add constraint service_valid check (valid_until > valid_from),
      add constraint service_mini_program check (opening <> 'miniProgram' or mini_program is not null);
    create index service_search on service using gin (search);
    create index service_unindexed on service (id) where search is null;
    create index service_organization on service (organization_id);

    -- Whoever writes what a service is found by need not think of the words: they are made by whoever looks next.
    create function forget_service_search() returns trigger language plpgsql as $$
      begin new.search := null; return new; end $$;
    create trigger service_search_forgotten
      before update of name, name_en, summary, summary_en, service_no, tags on service
      for each row
      when ((old.name, old.name_en, old.summary, old.summary_en, old.service_no, old.tags)
        is distinct from (new.name, new.name_en, new.summary, new.summary_en, new.service_no, new.tags))
      execute function forget_service_search();

    -- Words that mean the same to those who search: one row holds all of them.
    create table service_synonym (
      id bigint generated always as identity primary key,
      words text[] not null check (cardinality(words) between 2 and 20)
    );

    -- Accounts that answer for a service.
    create table service_owner (
      service_id bigint not null references service on delete cascade,
      account_id bigint not null references account on delete cascade,
      created_at timestamptz not null default now(),
      primary key (service_id, account_id)
    );
    create index service_owner_account on service_owner (account_id);

    create table service_guide (
      service_id bigint primary key references service on delete cascade,
      intro text not null default '',
      intro_en text not null default '',
      -- who may apply, where and when, whom to ask
      applies_to text not null default '',
      applies_to_en text not null default '',
      place text not null default '',
      place_en text not null default '',
      hours text not null default '',
      hours_en text not null default '',
      contact text not null default '',
      contact_en text not null default '',
      updated_at timestamptz not null default now()
    );
    create table service_guide_step (
      id bigint generated always as identity primary key,
      service_id bigint not null references service_guide on delete cascade,
      position integer not null default 0,
      title text not null,
      title_en text not null default '',
      content text not null default '',
      content_en text not null default ''
    );
    create index service_guide_step_of on service_guide_step (service_id, position, id);
    create table service_guide_material (
      id bigint generated always as identity primary key,
      service_id bigint not null references service_guide on delete cascade,
      position integer not null default 0,
      name text not null,
      name_en text not null default '',
      note text not null default '',
      note_en text not null default '',
      required boolean not null default true,
      copies integer not null default 1 check (copies between 0 and 99)
    );
    create index service_guide_material_of on service_guide_material (service_id, position, id);
    create table service_guide_attachment (
      id bigint generated always as identity primary key,
      service_id bigint not null references service_guide on delete cascade,
      position integer not null default 0,
      name text not null,
      name_en text not null default '',
      file_id bigint not null references file
    );
    create index service_guide_attachment_of on service_guide_attachment (service_id, position, id);

    -- The member has seen the guide and does not want it before the service again.
    create table service_guide_alert (
      account_id bigint not null references account on delete cascade,
      service_id bigint not null references service on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, service_id)
    );

    -- counted_at: what is said of a use shortly after belongs to the same one; seconds: how long it was open in all
    alter table service_use
      add counted_at timestamptz not null default now(),
      add seconds bigint not null default 0;
    -- Uses of a day, of nobody in particular. Several rows each day, so that members do not wait for each other's count.
    create table service_use_day (
      service_id bigint not null references service on delete cascade,
      day date not null,
      shard smallint not null,
      uses integer not null,
      primary key (service_id, day, shard)
    );
    create index service_use_day_day on service_use_day (day);
    create index service_favourite_created on service_favourite (created_at);

    -- What the rankings show, written by a job: by use and by favourites, over the days of each window.
    create table service_rank (
      kind text not null check (kind in ('use', 'favourite')),
      days integer not null,
      service_id bigint not null references service on delete cascade,
      amount integer not null,
      primary key (kind, days, service_id)
    );
    create index service_rank_order on service_rank (kind, days, amount desc, service_id);
  `.execute(db)
}
