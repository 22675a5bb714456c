import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What greets members at the start: themes, opening pages, diversion pages, slides. The fields of each kind are the
    -- contract's (packages/contract/src/shell/launch.ts): few rows, read whole, nested, and checked whenever they are read.
    create table launch_item (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('theme', 'opening_page', 'diversion', 'slide')),
      content jsonb not null,
      audience_id integer not null references audience,
      position integer not null default 0,
      online boolean not null default true,
      updated_at timestamptz not null default now()
    );
    create index launch_item_kind on launch_item (kind, position, id);
  `.execute(db)
}
