// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.SgPersist.Abilities;
import dev.mooring.plugin.iscsi.SgPersist.Reservation;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes the target itself refuse the writes of other nodes (semantics/plugins §3.8). The key of a node follows from its uid, so that
 * every node can tell whose a key is.
 */
final class Reservations {
    /** The note on a volume that says who holds its reservation: key, node and the node's uid; or that a node has left it behind. */
    static final String NOTE = "mooring.dev/iscsi-holder";

    /** Which nodes, by uid and separated by commas, are to lose their access: in what the attachment says. */
    static final String FENCE = "fence";

    private static final String RELEASED = "released ";
    private static final int KEY_DIGITS = 16;
    /** The holder's key where all registrants hold the reservation. */
    private static final String ALL = "0";

    private final Call call;
    private final SgPersist persist;

    Reservations(Call call) {
        this.call = call;
        this.persist = new SgPersist(call);
    }

    /** The key of a node; never zero, since that would mean none. */
    static String key(String nodeUid) {
        String key = SgPersist.normal(Ledger.digest(nodeUid).substring(0, KEY_DIGITS));
        return key.equals("0") ? "1" : key;
    }

    /** Registers every path and reserves (step 13). Registering is never skipped: a session that is new has no registration. */
    Outcome<Nothing> secure(Plan plan, Journal journal, List<BlockDevice> paths) {
        Settings.Wanted wanted = plan.settings().fencing();
        if (wanted == Settings.Wanted.OFF || plan.shared()) {
            return Outcome.done();
        }
        Optional<NodeRef> node =
                call.context().node().filter(self -> !self.uid().isEmpty());
        if (!persist.isThere() || node.isEmpty()) {
            return without(wanted, persist.isThere() ? "this node has no uid" : "this node has no " + SgPersist.TOOL);
        }
        Outcome<Abilities> abilities = persist.abilities(paths.get(0));
        if (abilities.isRefused(Refusal.UNSUPPORTED)) {
            return without(wanted, abilities.message());
        }
        return abilities.then(able -> {
            Reservation type = able.allRegistrants() && paths.size() > 1
                    ? Reservation.ALL_REGISTRANTS
                    : Reservation.REGISTRANTS_ONLY;
            Holding holding = new Holding(key(node.get().uid()), type, paths, able.survivesPowerLoss());
            return journal.note(now -> now.withKey(holding.key()))
                    .then(nothing -> register(holding))
                    .then(nothing -> alone(holding, plan.request().attached().getOrDefault(FENCE, "")))
                    .then(nothing -> reserve(holding))
                    .then(nothing -> noted(holding, node.get()));
        });
    }

    /**
     * What is wanted.
     *
     * @param key our key
     * @param type the kind of reservation
     * @param paths every path
     * @param survivesPowerLoss whether the unit can keep it over a restart of the target; it does what the last one to register says
     */
    private record Holding(String key, Reservation type, List<BlockDevice> paths, boolean survivesPowerLoss) {
        BlockDevice first() {
            return paths.get(0);
        }
    }

    private Outcome<Nothing> without(Settings.Wanted wanted, String why) {
        if (wanted == Settings.Wanted.REQUIRE) {
            return Outcome.refused(Refusal.UNSUPPORTED, "fencing is required, but " + why);
        }
        call.context().progress("no fencing: " + why);
        return Outcome.done();
    }

    private Outcome<Nothing> register(Holding holding) {
        return Steps.each(
                holding.paths(), path -> kept(holding, keeps -> persist.register(path, holding.key(), keeps)));
    }

    /** Some targets say that they can keep registrations and then have no place for them. */
    private static Outcome<Nothing> kept(Holding holding, Function<Boolean, Outcome<Nothing>> change) {
        Outcome<Nothing> changed = change.apply(holding.survivesPowerLoss());
        return holding.survivesPowerLoss() && !changed.isDone() && !isConflict(changed) ? change.apply(false) : changed;
    }

    /** Nobody else may be registered, but for those who are to lose it now or have left without their paths. */
    private Outcome<Nothing> alone(Holding holding, String fenced) {
        Stream<String> ordered = Arrays.stream(fenced.split(",", -1))
                .filter(uid -> !uid.isBlank())
                .map(uid -> key(uid.strip()));
        List<String> victims = Stream.concat(ordered, released().stream()).toList();
        return foreign(holding)
                .then(keys -> Steps.each(
                        keys.stream().filter(victims::contains).toList(),
                        victim -> persist.preempt(holding.first(), holding.key(), victim, holding.type())))
                .then(nothing -> foreign(holding))
                .then(keys ->
                        keys.isEmpty() ? Outcome.done() : withdrawn(holding).then(nothing -> elsewhere(keys)));
    }

    /** Who may not write does not stay registered; who holds the reservation keeps what its pods need. */
    private Outcome<Nothing> withdrawn(Holding holding) {
        return persist.holder(holding.first()).then(holder -> {
            if (holder.filter(holding.key()::equals).isEmpty()) {
                for (BlockDevice path : holding.paths()) {
                    Outcome<Nothing> outcome = kept(holding, keeps -> persist.unregister(path, holding.key(), keeps));
                    if (!outcome.isDone() && !isConflict(outcome)) {
                        return outcome;
                    }
                }
            }
            return Outcome.done();
        });
    }

    private Optional<String> note() {
        return call.context().notes().find(NOTE).result().flatMap(note -> note);
    }

    private Optional<String> released() {
        return note().filter(text -> text.startsWith(RELEASED)).map(text -> text.substring(RELEASED.length()));
    }

    private Outcome<List<String>> foreign(Holding holding) {
        return persist.keys(holding.first())
                .map(keys -> keys.stream()
                        .filter(key -> !key.equals(holding.key()))
                        .distinct()
                        .toList());
    }

    private Outcome<Nothing> elsewhere(List<String> keys) {
        Optional<NodeRef> holder = note().map(text -> text.split(" ", -1))
                .filter(words -> words.length == 3 && keys.contains(words[0]))
                .map(words -> new NodeRef(words[1], words[2]));
        return Outcome.inUseElsewhere(
                holder.stream().toList(),
                "key 0x" + String.join(", 0x", keys) + " is registered at the target"
                        + holder.map(node -> ": node " + node + " may still write")
                                .orElse(""));
    }

    private Outcome<Nothing> reserve(Holding holding) {
        Outcome<Nothing> reserved = persist.reserve(holding.first(), holding.key(), holding.type());
        return isConflict(reserved) ? takeOver(holding, reserved) : reserved.then(nothing -> held(holding));
    }

    /**
     * A session of ours that is gone holds it, under the same key (fence-agents#517). What all registrants hold is ours already, whatever
     * kind is wanted now: nobody else is registered, and to preempt it would mean something else at each target.
     */
    private Outcome<Nothing> takeOver(Holding holding, Outcome<Nothing> conflict) {
        return persist.holder(holding.first()).then(holder -> {
            if (holder.filter(ALL::equals).isPresent()) {
                return Outcome.done();
            }
            return holder.filter(holding.key()::equals).isPresent()
                    ? persist.preempt(holding.first(), holding.key(), holding.key(), holding.type())
                            .then(nothing -> register(holding))
                            .then(nothing -> held(holding))
                    : conflict;
        });
    }

    private Outcome<Nothing> held(Holding holding) {
        return persist.holder(holding.first())
                .then(holder -> holder.filter(key -> key.equals(holding.key()) || key.equals(ALL))
                                .isPresent()
                        ? Outcome.done()
                        : Outcome.uncertain("the reservation is not ours but " + holder.orElse("nobody's")));
    }

    private static boolean isConflict(Outcome<Nothing> outcome) {
        return outcome.match(done -> false, refused -> false, uncertain -> false, deferred -> false, elsewhere -> true);
    }

    /** For the node that comes next, should this one be lost: a hint only, the key decides. */
    private Outcome<Nothing> noted(Holding holding, NodeRef node) {
        noted(holding.key() + " " + node.name() + " " + node.uid());
        return Outcome.done();
    }

    private void noted(String value) {
        Optional<String> there = note();
        if (!there.equals(Optional.of(value))) {
            Outcome<Nothing> written = call.context().notes().write(NOTE, there, value);
            if (!written.isDone() && !written.isRefused(Refusal.UNSUPPORTED)) {
                call.context().progress("who holds the reservation could not be noted: " + written.message());
            }
        }
    }

    /**
     * Registers paths that were added to a volume in use. Who has lost the registration meanwhile has been fenced, and does not come back
     * by a new path.
     */
    Outcome<Nothing> extend(Staged staged, List<BlockDevice> added) {
        if (staged.key().isEmpty() || added.isEmpty()) {
            return Outcome.done();
        }
        return persist.abilities(added.get(0)).then(able -> {
            Holding holding = new Holding(staged.key(), Reservation.REGISTRANTS_ONLY, added, able.survivesPowerLoss());
            return persist.keys(holding.first())
                    .then(keys -> keys.contains(holding.key())
                            ? register(holding).then(nothing -> alone(holding, ""))
                            : Outcome.deferred("this node has lost its registration at the target"));
        });
    }

    /** Gives up our registrations, and with them the reservation, while the paths are there (§3.6, step 5). */
    Outcome<Nothing> release(Staged staged, List<BlockDevice> paths) {
        if (staged.key().isEmpty()) {
            return Outcome.done();
        }
        List<String> failures = new ArrayList<>();
        if (paths.isEmpty()) {
            failures.add("there is no path any more");
        } else {
            withoutOrphans(staged.key(), paths);
        }
        for (BlockDevice path : paths) {
            // nothing of ours is left that would have to be kept
            Outcome<Nothing> outcome = persist.unregister(path, staged.key(), false);
            if (!outcome.isDone() && !isConflict(outcome)) {
                failures.add(outcome.message());
            }
        }
        if (!failures.isEmpty()) {
            // a target that does not answer must not keep the volume here; whoever comes next may take the key away
            call.context().progress("a registration may remain at the target: " + String.join("; ", failures));
            noted(RELEASED + staged.key());
        }
        return Outcome.done();
    }

    /** Sessions of ours that ended without us have left registrations that only a registered path can remove. */
    private void withoutOrphans(String key, List<BlockDevice> paths) {
        BlockDevice first = paths.get(0);
        persist.keys(first)
                .then(keys -> keys.stream().filter(key::equals).count() > paths.size()
                        ? persist.preempt(first, key, key, Reservation.REGISTRANTS_ONLY)
                        : Outcome.done());
    }

    /** Takes the power to write from a lost node: done only with proof. */
    Outcome<Nothing> fence(Mapper.Devices devices, NodeRef lost) {
        if (lost.uid().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "the key of " + lost + " follows from its uid, which is not known");
        }
        if (devices.staged().key().isEmpty()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "the volume is used without reservations");
        }
        String victim = key(lost.uid());
        String key = devices.staged().key();
        BlockDevice path = devices.paths().get(0);
        if (victim.equals(key)) {
            return Outcome.refused(Refusal.INVALID, "a node does not fence itself");
        }
        return persist.keys(path)
                .then(keys -> keys.contains(victim)
                        ? persist.preempt(path, key, victim, Reservation.REGISTRANTS_ONLY)
                                .then(nothing -> persist.keys(path))
                                .then(left -> left.contains(victim)
                                        ? Outcome.uncertain("the key of " + lost + " is still registered")
                                        : Outcome.done())
                        : Outcome.done());
    }
}
