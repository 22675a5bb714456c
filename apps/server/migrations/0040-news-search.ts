import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Whoever changes a text and does not say its words as well leaves that to the job: old words would find what is gone.
    create function article_text_changed() returns trigger language plpgsql as $$
    begin
      new.updated_at := now();
      if new.search is not distinct from old.search then new.search := null; end if;
      return new;
    end $$;
    create trigger article_text_changed before update on article for each row
      when ((old.title, old.title_en, old.summary, old.body, old.body_en) is distinct from
            (new.title, new.title_en, new.summary, new.body, new.body_en))
      execute function article_text_changed();

    -- Which departments have published: found by leaping from one to the next.
    create index article_department on article (department, published_at desc) where status = 'published';

    -- What was read most lately, counted by a job: a list of it must not add up days on a request.
    create table article_popular (
      article_id bigint primary key references article on delete cascade,
      reads integer not null
    );
    create index article_popular_list on article_popular (reads desc, article_id desc);
  `.execute(db)
}
