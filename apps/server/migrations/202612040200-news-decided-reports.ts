import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When an operator decided on the comment; until a decision the report is open. A decided report still counts
    -- towards the limit of its member, and is deleted soon after.
    alter table article_comment_report add column decided_at timestamptz;
    create index article_comment_report_decided on article_comment_report (created_at) where decided_at is not null;

    -- A comment's report_count is the number of its open reports.
    create or replace function article_comment_count_reports() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.decided_at is null then
        update article_comment set report_count = report_count - 1 where id = old.comment_id;
      end if;
      if tg_op <> 'DELETE' and new.decided_at is null then
        update article_comment set report_count = report_count + 1 where id = new.comment_id;
      end if;
      return null;
    end $$;
    drop trigger article_comment_count_reports on article_comment_report;
    create trigger article_comment_count_reports after insert or delete or update of decided_at on article_comment_report
      for each row execute function article_comment_count_reports();
  `.execute(db)
}
