import { type Kysely, sql } from 'kysely'

/** What people write of a service; what jobs count of it is no change that anybody could overwrite. */
const written = [
  'service_no',
  'name',
  'name_en',
  'summary',
  'summary_en',
  'type_id',
  'organization_id',
  'url',
  'glyph',
  'tone',
  'icon_file_id',
  'card_file_id',
  'kind',
  'tags',
  'marks',
  'contact',
  'hours',
  'needs_vpn',
  'recommended',
  'force_recommended',
  'notice',
  'notice_en',
  'audience_id',
  'position',
  'online',
  'online_at',
  'valid_from',
  'valid_until',
  'terminals',
  'source',
  'tech_type',
  'opening',
  'mini_program',
  'token_accept',
]
const row = (name: string) => written.map((column) => `${name}.${column}`).join(', ')

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Who changes something says which version they saw: what somebody else has changed meanwhile is not overwritten.
    alter table service
      add version integer not null default 1,
      add updated_at timestamptz not null default now();
    alter table service_type add version integer not null default 1;
    alter table service_synonym add version integer not null default 1;
    alter table service_guide add version integer not null default 1;

    -- Counted here, so that an import, the command line and the console cannot differ about it.
    create function raise_service_version() returns trigger language plpgsql as $$
      begin new.version := old.version + 1; new.updated_at := now(); return new; end $$;
    create trigger service_version
      before update of ${sql.raw(written.join(', '))} on service
      for each row
      when ((${sql.raw(row('old'))}) is distinct from (${sql.raw(row('new'))}))
      execute function raise_service_version();
  `.execute(db)
}
