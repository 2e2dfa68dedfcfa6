// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.SgPersist.Abilities;
import dev.mooring.plugin.iscsi.SgPersist.Reservation;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes the target itself refuse the writes of other nodes (semantics/plugins §3.8). The key of a node follows from its uid, so that
 * every node can tell whose a key is.
 */
final class Reservations {
    /** Which nodes, by uid and separated by commas, are to lose their access: in what the attachment says. */
    static final String FENCE = "fence";

    private static final int KEY_DIGITS = 16;
    /** The holder's key where all registrants hold the reservation. */
    private static final String ALL = "0";

    private final IscsiCall call;
    private final SgPersist persist;
    private final HolderNotes notes;

    Reservations(IscsiCall call) {
        this.call = call;
        this.persist = new SgPersist(call);
        this.notes = new HolderNotes(call);
    }

    /** The key of a node; never zero, since that would mean none. */
    static String key(String nodeUid) {
        String key = SgPersist.normal(Sha256.hex(nodeUid).substring(0, KEY_DIGITS));
        return key.equals("0") ? "1" : key;
    }

    /** Registers every path and reserves (step 13). Registering is never skipped: a session that is new has no registration. */
    Outcome<Nothing> secure(Plan plan, Journal journal, List<BlockDevice> paths) {
        Settings.Wanted wanted = plan.settings().fencing();
        if (wanted == Settings.Wanted.OFF || plan.shared()) {
            return Outcome.done();
        }
        if (plan.request().volume().uid().isEmpty()) {
            // no object means no order to fence and no note of who has left: the key of a lost node would stay for ever
            return without(
                    wanted,
                    "a source that is written in a pod has no object by which it could be given to another node");
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
            return persist.keys(holding.first())
                    .then(listed -> secure(plan, journal, holding, listed))
                    .then(nothing -> notes.held(holding.key(), node.get()))
                    .then(nothing -> journal.note(Staged::withoutFormerKeys));
        });
    }

    /**
     * Registers and reserves.
     *
     * @param listed the keys that were there before: a fenced node's is none of them
     */
    private Outcome<Nothing> secure(Plan plan, Journal journal, Holding holding, List<String> listed) {
        boolean older = journal.now().keys().stream().anyMatch(listed::contains);
        return journal.note(now -> now.withKey(holding.key()))
                .then(nothing -> register(holding))
                .then(nothing -> others(holding, victims(plan, journal.now())))
                .then(strangers -> strangers.isEmpty()
                        ? reserve(holding)
                        // pods may need what this node had registered before
                        : (older ? Outcome.done() : withdrawn(holding)).then(nothing -> elsewhere(strangers)));
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
        call.context().report(Notice.normal("FencingMissing", "no fencing: " + why));
        return Outcome.done();
    }

    private Outcome<Nothing> register(Holding holding) {
        return Steps.each(
                holding.paths(), path -> kept(holding, keeps -> persist.register(path, holding.key(), keeps)));
    }

    /** Some targets say that they can keep registrations and then have no place for them. */
    private static Outcome<Nothing> kept(Holding holding, Function<Boolean, Outcome<Nothing>> change) {
        Outcome<Nothing> changed = change.apply(holding.survivesPowerLoss());
        return holding.survivesPowerLoss() && !changed.isDone() && !changed.isInUseElsewhere()
                ? change.apply(false)
                : changed;
    }

    /**
     * Who is to lose its access now, who has left without its paths, and who this node was before it was registered again: its own ledger
     * says which keys it had.
     */
    private List<String> victims(Plan plan, Staged staged) {
        Stream<String> ordered = Arrays.stream(
                        plan.request().attached().getOrDefault(FENCE, "").split(",", -1))
                .filter(uid -> !uid.isBlank())
                .map(uid -> key(uid.strip()));
        Stream<String> released = notes.read().result().map(HolderNote::released).orElse(List.of()).stream();
        return Stream.of(ordered, released, staged.keys().stream().skip(1))
                .flatMap(Function.identity())
                .toList();
    }

    /** Which other keys are registered once the victims are gone: none may be. */
    private Outcome<List<String>> others(Holding holding, List<String> victims) {
        return foreign(holding)
                .then(keys -> Steps.each(
                        keys.stream().filter(victims::contains).toList(),
                        victim -> persist.preempt(holding.first(), holding.key(), victim, holding.type())))
                .then(nothing -> foreign(holding));
    }

    /** A node that may not write does not stay registered; a node that holds the reservation keeps what its pods need. */
    private Outcome<Nothing> withdrawn(Holding holding) {
        return persist.holder(holding.first()).then(holder -> {
            if (holder.filter(holding.key()::equals).isEmpty()) {
                for (BlockDevice path : holding.paths()) {
                    Outcome<Nothing> outcome = kept(holding, keeps -> persist.unregister(path, holding.key(), keeps));
                    if (!outcome.isDone() && !outcome.isInUseElsewhere()) {
                        return outcome;
                    }
                }
            }
            return Outcome.done();
        });
    }

    private Outcome<List<String>> foreign(Holding holding) {
        return persist.keys(holding.first())
                .map(keys -> keys.stream()
                        .filter(key -> !key.equals(holding.key()))
                        .distinct()
                        .toList());
    }

    private Outcome<Nothing> elsewhere(List<String> keys) {
        Optional<NodeRef> holder = notes.read()
                .result()
                .flatMap(HolderNote::holder)
                .filter(known -> keys.contains(known.key()))
                .map(HolderNote.Holder::node);
        return Outcome.inUseElsewhere(
                holder.stream().toList(),
                "key 0x" + String.join(", 0x", keys) + " is registered at the target"
                        + holder.map(node -> ": node " + node + " may still write")
                                .orElse(""));
    }

    private Outcome<Nothing> reserve(Holding holding) {
        Outcome<Nothing> reserved = persist.reserve(holding.first(), holding.key(), holding.type());
        return reserved.isInUseElsewhere() ? takeOver(holding, reserved) : reserved.then(nothing -> held(holding));
    }

    /**
     * A session of ours that is gone holds it, under the same key (fence-agents#517). A reservation that all registrants hold is ours
     * already, of whichever kind: no other key is registered, and each target treats a preemption of it differently.
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
                        : Outcome.uncertain(holder.map(key -> "the reservation is held by key 0x" + key)
                                .orElse("no key holds the reservation")));
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
                            ? register(holding).map(nothing -> keys)
                            : Outcome.deferred("this node has lost its registration at the target"))
                    .map(keys -> reported(staged, keys));
        });
    }

    /** Any other registrant has no right to be there, and takes none from this node. */
    private Nothing reported(Staged staged, List<String> keys) {
        List<String> strangers = keys.stream()
                .filter(key -> !staged.keys().contains(key))
                .distinct()
                .toList();
        if (!strangers.isEmpty()) {
            call.context()
                    .report(Notice.warning(
                            "ForeignReservationKey",
                            "key 0x" + String.join(", 0x", strangers) + " is registered at the target too"));
        }
        return Nothing.NOTHING;
    }

    /**
     * Gives up our registrations, and with them the reservation, while the paths are there (§3.6, step 5). A target that does not answer
     * must not keep the volume here.
     */
    Outcome<Nothing> release(Staged staged, List<BlockDevice> paths) {
        return livingFirst(paths).then(ordered -> {
            List<String> left = new ArrayList<>();
            List<String> reasons = new ArrayList<>();
            for (String key : staged.keys()) {
                Outcome<Nothing> gone = new Withdrawal(persist, key).over(ordered);
                if (!gone.isDone()) {
                    left.add(key);
                    reasons.add(gone.message());
                }
            }
            return left.isEmpty() ? Outcome.done() : notes.released(left, String.join("; ", reasons));
        });
    }

    /** What the kernel has given up is asked last: it may be about to come back. */
    private Outcome<List<BlockDevice>> livingFirst(List<BlockDevice> paths) {
        return Disks.givenUp(call, paths)
                .map(dead -> paths.stream()
                        .sorted(Comparator.comparing(dead::contains))
                        .toList());
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
        if (victim.equals(key)) {
            return Outcome.refused(Refusal.INVALID, "a node does not fence itself");
        }
        return livingFirst(devices.paths())
                .then(persist::answering)
                .then(answer -> answer.keys().contains(victim)
                        ? persist.preempt(answer.path(), key, victim, Reservation.REGISTRANTS_ONLY)
                                .then(nothing -> persist.keys(answer.path()))
                                .then(left -> left.contains(victim)
                                        ? Outcome.uncertain("the key of " + lost + " is still registered")
                                        : Outcome.done())
                        : Outcome.done());
    }
}
