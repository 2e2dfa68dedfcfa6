// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.host.CommandResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The persistent reservations of SPC, as far as {@code sg_persist} is used and as the kernel's target keeps them: a registration belongs
 * to initiator and session.
 */
final class FakeReservations {
    private static final String ALL_REGISTRANTS = "7";

    private final FakeWorld world;
    private final Supplier<String> initiator;

    FakeReservations(FakeWorld world, Supplier<String> initiator) {
        this.world = world;
        this.initiator = initiator;
    }

    CommandResult run(List<String> arguments) {
        Optional<FakeWorld.Scsi> disk =
                world.disk(arguments.get(arguments.size() - 1).replace("/dev/", ""));
        if (disk.isEmpty()) {
            return FakeTools.exit(15, "");
        }
        FakeWorld.Unit unit = disk.get().unit();
        String nexus = initiator.get() + " " + disk.get().session().number;
        return arguments.contains("-i") ? in(arguments, unit) : out(arguments, unit, nexus);
    }

    private static CommandResult in(List<String> arguments, FakeWorld.Unit unit) {
        StringBuilder text = new StringBuilder();
        if (arguments.contains("-c")) {
            text.append("  Persist Through Power Loss Capable(PTPL_C): 1\n      Write Exclusive, all registrants: 1\n");
        } else if (arguments.contains("-k")) {
            text.append("  PR generation=0x1, registered reservation keys follow:\n");
            unit.keys.values().forEach(key -> text.append("    0x").append(key).append('\n'));
        } else {
            unit.holder.ifPresent(holder -> text.append("  PR generation=0x1, Reservation follows:\n    Key=0x")
                    .append(ofAll(unit) ? "0" : unit.keys.getOrDefault(holder, "0"))
                    .append('\n'));
        }
        return FakeTools.exit(0, text.toString());
    }

    private static boolean ofAll(FakeWorld.Unit unit) {
        return unit.holder.isPresent() && unit.kind.equals(ALL_REGISTRANTS);
    }

    private static CommandResult out(List<String> arguments, FakeWorld.Unit unit, String nexus) {
        if (arguments.contains("-I")) {
            unit.keys.put(nexus, value(arguments, "-S"));
            unit.kept = arguments.contains("-Z");
            return FakeTools.exit(0, "");
        }
        String registered = unit.keys.getOrDefault(nexus, "");
        if (!registered.equals(value(arguments, "-K"))) {
            return FakeTools.exit(PersistExit.CONFLICT, "");
        }
        if (arguments.contains("-G")) {
            remove(unit, nexus);
            unit.kept = arguments.contains("-Z");
            return FakeTools.exit(0, "");
        }
        String kind = value(arguments, "-T");
        return arguments.contains("-R")
                ? reserve(unit, nexus, kind)
                : preempt(unit, nexus, value(arguments, "-S"), kind);
    }

    /** The holder may only ask for what it has. */
    private static CommandResult reserve(FakeWorld.Unit unit, String nexus, String kind) {
        boolean conflict = unit.holder.isPresent()
                && (!unit.kind.equals(kind) || !(ofAll(unit) || unit.holder.equals(Optional.of(nexus))));
        if (conflict) {
            return FakeTools.exit(PersistExit.CONFLICT, "");
        }
        if (unit.holder.isEmpty()) {
            unit.holder = Optional.of(nexus);
            unit.kind = kind;
        }
        return FakeTools.exit(0, "");
    }

    /** The reservation changes hands only if the key is the holder's; else registrations go, and the kind does not matter. */
    private static CommandResult preempt(FakeWorld.Unit unit, String nexus, String victim, String kind) {
        if (!unit.keys.containsValue(victim)) {
            return FakeTools.exit(PersistExit.CONFLICT, "");
        }
        boolean holders = unit.holder.map(unit.keys::get).filter(victim::equals).isPresent();
        boolean spared = holders || ofAll(unit);
        List<String> victims = unit.keys.keySet().stream()
                .filter(one -> victim.equals(unit.keys.get(one)))
                .filter(one -> !(spared && one.equals(nexus)))
                .toList();
        victims.forEach(one -> remove(unit, one));
        if (holders) {
            unit.holder = Optional.of(nexus);
            unit.kind = kind;
        }
        return FakeTools.exit(0, "");
    }

    private static void remove(FakeWorld.Unit unit, String nexus) {
        boolean all = ofAll(unit);
        unit.keys.remove(nexus);
        if (unit.holder.equals(Optional.of(nexus))) {
            // of all registrants those that are left hold it
            unit.holder = all ? unit.keys.keySet().stream().findFirst() : Optional.empty();
        }
    }

    private static String value(List<String> arguments, String option) {
        String text = arguments.get(arguments.indexOf(option) + 1);
        return text.startsWith("0x") ? text.substring(2) : text;
    }
}
