import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What a member is found by, each as somebody begins to type it: parts of the name, in pinyin and initials, the English
    -- name, the username. Sorted by bytes, so that a beginning is a range.
    create table account_name_word (
      word text collate "C" not null,
      account_id bigint not null references account on delete cascade,
      primary key (word, account_id)
    );
    create index account_name_word_account on account_name_word (account_id);

    -- Accounts whose words are to be made anew.
    create table account_name_due (
      account_id bigint primary key references account on delete cascade,
      due_at timestamptz not null default clock_timestamp()
    );
    insert into account_name_due (account_id) select id from account;

    -- The row is written again when it is there already: whoever is about to work it off waits for this change.
    create function account_name_changed() returns trigger language plpgsql as $$
    begin
      insert into account_name_due (account_id) values (new.id)
        on conflict (account_id) do update set due_at = clock_timestamp();
      return null;
    end $$;
    create trigger account_name_inserted after insert on account
      for each row execute function account_name_changed();
    create trigger account_name_updated after update of username, person_id on account
      for each row when (old.username is distinct from new.username or old.person_id is distinct from new.person_id)
      execute function account_name_changed();
    create function person_name_changed() returns trigger language plpgsql as $$
    begin
      insert into account_name_due (account_id) select id from account where person_id = new.id
        on conflict (account_id) do update set due_at = clock_timestamp();
      return null;
    end $$;
    create trigger person_name_updated after update of name, name_en on person
      for each row when (old.name is distinct from new.name or old.name_en is distinct from new.name_en)
      execute function person_name_changed();
  `.execute(db)
}
