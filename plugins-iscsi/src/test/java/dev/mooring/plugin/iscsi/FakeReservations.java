// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.host.CommandResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The persistent reservations of SPC, as far as {@code sg_persist} is used: a registration belongs to initiator and session. */
final class FakeReservations {
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
                    .append(unit.keys.getOrDefault(holder, "0"))
                    .append('\n'));
        }
        return FakeTools.exit(0, text.toString());
    }

    private static CommandResult out(List<String> arguments, FakeWorld.Unit unit, String nexus) {
        if (arguments.contains("-I")) {
            unit.keys.put(nexus, value(arguments, "-S"));
            return FakeTools.exit(0, "");
        }
        String registered = unit.keys.getOrDefault(nexus, "");
        if (!registered.equals(value(arguments, "-K"))) {
            return FakeTools.exit(PersistExit.CONFLICT, "");
        }
        if (arguments.contains("-G")) {
            remove(unit, nexus);
        } else if (arguments.contains("-R")) {
            boolean all = value(arguments, "-T").equals("7");
            if (unit.holder.isPresent() && !unit.holder.get().equals(nexus) && !all) {
                return FakeTools.exit(PersistExit.CONFLICT, "");
            }
            unit.holder = Optional.of(nexus);
        } else if (arguments.contains("-A")) {
            String victim = value(arguments, "-S");
            Set<String> victims = new LinkedHashSet<>(unit.keys.keySet());
            victims.removeIf(one -> !victim.equals(unit.keys.get(one)) || one.equals(nexus));
            victims.forEach(one -> remove(unit, one));
            unit.holder = Optional.of(nexus);
        }
        return FakeTools.exit(0, "");
    }

    private static void remove(FakeWorld.Unit unit, String nexus) {
        unit.keys.remove(nexus);
        if (unit.holder.equals(Optional.of(nexus))) {
            unit.holder = Optional.empty();
        }
    }

    private static String value(List<String> arguments, String option) {
        String text = arguments.get(arguments.indexOf(option) + 1);
        return text.startsWith("0x") ? text.substring(2) : text;
    }
}
