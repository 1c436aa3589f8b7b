-- Schema: 21
-- Serves: Pharos 0.2.0 (schema 1) and later
-- Groups: monitors whose status follows from that of others, their members.
ALTER TYPE monitor_type ADD VALUE 'group';

ALTER TABLE monitor
    -- The members of a group, of the same organization and without cycles; the deletion of one removes it here.
    ADD COLUMN members TEXT[] NOT NULL DEFAULT '{}',
    -- How many of them must be up: all, any, count, or share.
    ADD COLUMN member_rule TEXT NOT NULL DEFAULT 'all',
    -- Members for the rule count, percent for share.
    ADD COLUMN member_minimum INTEGER;
-- Edits are rare, and a list of pending entries would be read with every search.
CREATE INDEX monitor_members ON monitor USING gin (members) WITH (fastupdate = off) WHERE members <> '{}';

-- Groups to judge again. Only inserted and deleted, without a foreign key, so that nobody who changes a member waits for another.
CREATE TABLE raw.group_change (
    group_id TEXT NOT NULL,
    -- When its members or its rule changed: it is not judged by them before. Null: a member changed.
    edited_at TIMESTAMPTZ(3)
);
CREATE INDEX group_change_group_id ON raw.group_change (group_id);

-- Every change of what a monitor counts as is a period of the ledger, and any of these makes one: a result, a pause, a window, a tick. Who writes what a
-- group follows from its members sets pharos.follows_members: the group need not be judged once more. An index is always cheaper here, also
-- for a plan that was made while there were few monitors.
CREATE FUNCTION note_member_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    changed text[] := array(SELECT DISTINCT monitor_id FROM written);
BEGIN
    INSERT INTO raw.group_change (group_id)
    SELECT id FROM monitor WHERE members && changed AND members <> '{}'
     UNION
    SELECT id FROM monitor
     WHERE id = ANY(changed) AND members <> '{}' AND current_setting('pharos.follows_members', true) IS DISTINCT FROM 'on';
    IF FOUND THEN
        PERFORM pg_notify('pharos_deliveries', '');
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER status_period_of_member AFTER INSERT ON status_period
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_member_changes();

CREATE FUNCTION note_group_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO raw.group_change (group_id, edited_at) VALUES (NEW.id, NEW.updated_at);
    PERFORM pg_notify('pharos_deliveries', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER monitor_group_edited AFTER UPDATE OF members, member_rule, member_minimum ON monitor
    FOR EACH ROW WHEN (OLD.members <> NEW.members OR OLD.member_rule <> NEW.member_rule
                       OR OLD.member_minimum IS DISTINCT FROM NEW.member_minimum)
    EXECUTE FUNCTION note_group_edit();
