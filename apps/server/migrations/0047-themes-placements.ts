import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Two departments may put the same service among the favourites of their members; who takes it off, takes it off
    -- whoever put it there.
    alter table service_placement_cancel drop constraint service_placement_cancel_service_id_fkey;
    alter table service_placement drop constraint service_placement_pkey;
    alter table service_placement
      add id bigint generated always as identity primary key,
      add version integer not null default 1,
      add constraint service_placement_once unique nulls not distinct (service_id, organization_id);
    alter table service_placement_cancel
      add foreign key (service_id) references service on delete cascade;
    create index service_placement_organization on service_placement (organization_id);

    alter table service_aggregation add version integer not null default 1;
  `.execute(db)
}
