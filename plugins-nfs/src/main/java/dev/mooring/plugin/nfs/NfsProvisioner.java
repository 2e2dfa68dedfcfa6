// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.OptionalLong;

/**
 * Makes a directory on a share for a claim: entry CREATING, the place, the directory, mode and group, entry READY (semantics/plugins
 * §2.9). After a crash at any point the next call for the same claim goes on. A directory that held something before it was ready belongs
 * to another user and is not given away.
 */
final class NfsProvisioner {
    private static final int PARENT_MODE = 0755;

    private final Share share;
    private final NfsProvisionPlan plan;
    private final ShareLedger ledger;
    private final LocalQuota quota;

    NfsProvisioner(Share share, NfsProvisionPlan plan, LocalQuota quota) {
        this.quota = quota;
        this.share = share;
        this.plan = plan;
        this.ledger = share.ledger();
    }

    Outcome<Nothing> provision() {
        return ledger.find(plan.name()).then(found -> found.map(this::goOn).orElseGet(this::begin));
    }

    private Outcome<Nothing> begin() {
        NfsLedgerEntry entry = new NfsLedgerEntry(
                NfsLedgerEntry.State.CREATING,
                plan.relative(),
                OptionalLong.empty(),
                plan.request().claimUid(),
                plan.request().className(),
                plan.parameters().onDelete(),
                plan.parameters().shared());
        return placeIsFree().then(nothing -> ledger.put(plan.name(), entry)).then(nothing -> orUndone(make(entry)));
    }

    private Outcome<Nothing> goOn(NfsLedgerEntry entry) {
        if (!entry.claimUid().equals(plan.request().claimUid()) || !entry.path().equals(plan.relative())) {
            return Outcome.refused(Refusal.INCOMPATIBLE, plan.name() + " was made for another claim or place");
        }
        return switch (entry.state()) {
            case READY -> verify(entry);
            case TRASHED -> Outcome.refused(Refusal.IN_USE, plan.name() + " is being deleted");
            // another volume may have taken the place before this one had noted it
            case CREATING -> orUndone(placeIsFree().then(nothing -> make(entry)));
        };
    }

    /** No volume may lie in another one, and two may be one only if both were made to be shared. */
    private Outcome<Nothing> placeIsFree() {
        return share.volumeAbove(plan.relative())
                .then(volume -> volume.map(NfsProvisioner::<Nothing>taken).orElseGet(Outcome::done))
                .then(nothing -> ledger.place(plan.relative()))
                .then(entry -> entry.isEmpty() ? Outcome.done() : mayJoin(entry.get()));
    }

    private Outcome<Nothing> mayJoin(PlaceEntry place) {
        if (!place.isVolume()) {
            return taken(place.path());
        }
        Outcome<Nothing> may = Outcome.done();
        for (String owner : place.without(plan.name()).owners()) {
            may = may.then(nothing -> ledger.find(owner)).then(other -> {
                boolean both = plan.parameters().shared()
                        && other.filter(NfsLedgerEntry::shared).isPresent();
                return both ? Outcome.done() : taken(place.path());
            });
        }
        return may;
    }

    private static <T> Outcome<T> taken(String path) {
        return Outcome.refused(Refusal.INCOMPATIBLE, "directory " + path + " of the share belongs to another volume");
    }

    private Outcome<Nothing> make(NfsLedgerEntry entry) {
        return ledger.place(plan.relative())
                .then(place -> ledger.putPlace(place.orElseGet(() -> PlaceEntry.holder(plan.relative()))
                        .with(plan.name())))
                .then(nothing -> makeParents())
                .then(nothing -> share.withParent(plan.relative(), parent -> makeIn(parent, entry)));
    }

    /** What an attempt answers that has its entry. */
    private Outcome<Nothing> orUndone(Outcome<Nothing> attempt) {
        return attempt.match(
                done -> Outcome.done(),
                refused -> refusing(refused.refusal(), refused.why()),
                uncertain -> Outcome.uncertain(uncertain.why()),
                // the entry is there by now
                deferred -> Outcome.uncertain(deferred.why()),
                elsewhere -> Outcome.uncertain(elsewhere.why()));
    }

    /** Refuses if nothing of the attempt stays behind. */
    private Outcome<Nothing> refusing(Refusal refusal, String why) {
        Outcome<Nothing> undone = undo();
        return undone.isDone() ? Outcome.refused(refusal, why) : Outcome.uncertain(why + "; " + undone.message());
    }

    private Outcome<Nothing> makeParents() {
        Outcome<Nothing> made = Outcome.done();
        for (String parent : Share.above(plan.relative())) {
            made = made.then(nothing -> makeParent(parent));
        }
        return made;
    }

    private Outcome<Nothing> makeParent(String path) {
        return ledger.place(path)
                .then(known -> known.isPresent() ? Outcome.done() : noteIfMissing(path))
                .then(nothing -> share.withParent(path, above -> above.makeDirectory(Share.lastOf(path), PARENT_MODE)))
                .map(made -> {
                    made.path().close();
                    return Nothing.NOTHING;
                });
    }

    /** What was there before us is never taken away by us. */
    private Outcome<Nothing> noteIfMissing(String path) {
        return Share.find(share.root(), path).then(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isPresent() ? Outcome.done() : ledger.putPlace(PlaceEntry.holder(path));
        });
    }

    private Outcome<Nothing> makeIn(PinnedPath parent, NfsLedgerEntry entry) {
        String name = Share.lastOf(plan.relative());
        return parent.makeDirectory(name, 0700).then(made -> {
            boolean isNew = made.isNew();
            return take(made, entry)
                    .recoverRefused(refused ->
                            (isNew ? parent.removeDirectory(name) : Outcome.done()).then(nothing -> refused));
        });
    }

    private Outcome<Nothing> take(Made made, NfsLedgerEntry entry) {
        try (PinnedPath directory = made.path()) {
            return isOurs(directory, made.isNew())
                    .then(nothing -> plan.parameters().permissions().applyTo(directory))
                    .then(facts -> limited(entry, facts))
                    .then(facts ->
                            ledger.put(plan.name(), entry.ready(facts.identity().inode())));
        }
    }

    private Outcome<Nothing> isOurs(PinnedPath directory, boolean isNew) {
        if (isNew) {
            return Outcome.done();
        }
        return ledger.place(plan.relative()).then(place -> {
            boolean joined = place.filter(entry -> entry.owners().size() > 1).isPresent();
            return joined
                    ? Outcome.done()
                    : directory
                            .list(0)
                            .map(empty -> Nothing.NOTHING)
                            .recoverRefused(refused -> Outcome.refused(
                                    Refusal.INCOMPATIBLE,
                                    "directory " + plan.relative() + " of the share exists and is not empty"));
        });
    }

    private Outcome<FileFacts> limited(NfsLedgerEntry entry, FileFacts facts) {
        return plan.parameters().quota()
                ? quota.limit(entry, facts.identity().inode(), plan.request().requested())
                        .map(limit -> facts)
                : Outcome.done(facts);
    }

    private Outcome<Nothing> undo() {
        return ledger.leave(plan.relative(), plan.name())
                .then(nothing -> share.removeEmptyParents(plan.relative()))
                .then(nothing -> ledger.remove(plan.name()));
    }

    private Outcome<Nothing> verify(NfsLedgerEntry entry) {
        return Share.find(share.root(), entry.path()).then(found -> {
            if (found.isEmpty()) {
                return Outcome.refused(Refusal.CORRUPT, "the directory of " + plan.name() + " has gone");
            }
            try (PinnedPath directory = found.get()) {
                return isRecorded(directory, plan.name(), entry);
            }
        });
    }

    static Outcome<Nothing> isRecorded(PinnedPath directory, String name, NfsLedgerEntry entry) {
        return directory.facts().then(facts -> {
            return entry.inode().equals(OptionalLong.of(facts.identity().inode()))
                    ? Outcome.done()
                    : Outcome.refused(Refusal.CORRUPT, "another directory is in the place of " + name);
        });
    }
}
