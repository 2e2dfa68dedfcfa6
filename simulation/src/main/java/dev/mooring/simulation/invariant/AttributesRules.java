// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Classes of attributes (semantics/binder §3.3, §3.5): none goes while it is named; what storage is to be given is written down before,
 * and shown after it has been given, also from the start; and in the end who names a class has it.
 */
final class AttributesRules implements Invariant {
    private static final String IN_PROGRESS = "InProgress";

    /** A claim that names a class just after its users were asked for is too late, as with upstream: a write may be under way so long. */
    private static final Duration TOO_LATE = Duration.ofMinutes(1);

    /** Since when a class has been named, and by which object. */
    private final Map<String, Map<String, Duration>> users = new HashMap<>();

    /** All the parameters that classes of a name have had. */
    private final Map<String, Set<Map<String, String>>> meant = new HashMap<>();

    /** The classes that claims have named, by their uids; nothing if they named none. */
    private final Map<String, Set<String>> wished = new HashMap<>();

    /** What volumes were heard to have been given, and nothing else was asked of them since. */
    private final Map<String, Map<String, String>> given = new HashMap<>();

    /** Classes that volumes were to be given, by what claims have shown. */
    private final Map<String, Set<String>> intended = new HashMap<>();

    // ---- calls ----

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (call instanceof ProvisionCall provision) {
            given.remove(call.volume());
            Map<String, String> attributes = provision.request().attributes();
            Set<String> names = wished.getOrDefault(provision.request().claimUid(), Set.of(""));
            findings.require(
                    names.stream()
                            .anyMatch(name -> name.isEmpty() ? attributes.isEmpty() : isMeantBy(name, attributes)),
                    "VAC-intent",
                    "provision of " + call.volume() + " with " + attributes + " for a claim that names " + names);
        } else if (call instanceof ModifyCall modify) {
            given.remove(call.volume());
            findings.require(
                    intended.getOrDefault(call.volume(), Set.of()).stream()
                            .anyMatch(name -> isMeantBy(name, modify.parameters())),
                    "VAC-intent",
                    "modify of " + call.volume() + " to " + modify.parameters() + ", of which no claim tells");
        }
    }

    @Override
    public void answered(WorldView world, Call call, Optional<Outcome<?>> answer, Findings findings) {
        if (call instanceof ModifyCall modify && answer.filter(Outcome::isDone).isPresent()) {
            given.put(call.volume(), modify.parameters());
        } else if (call instanceof ProvisionCall provision
                && answer.filter(Outcome::isDone).isPresent()) {
            given.put(call.volume(), provision.request().attributes());
        }
    }

    private boolean isMeantBy(String name, Map<String, String> parameters) {
        return meant.getOrDefault(name, Set.of()).contains(parameters);
    }

    private boolean has(String volume, String name) {
        return given.containsKey(volume) && isMeantBy(name, given.get(volume));
    }

    // ---- what is written ----

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.kind().equals(Kinds.VOLUME_ATTRIBUTES_CLASS)) {
            attributes(world, write, findings);
        } else if (write.kind().equals(Kinds.PERSISTENT_VOLUME) || write.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            names(world, write);
            shown(write, findings);
        }
    }

    private void attributes(WorldView world, ObjectWrite<?> write, Findings findings) {
        String name = write.key().name();
        if (write.after().isPresent() && write.after().get() instanceof VolumeAttributesClass is) {
            meant.computeIfAbsent(name, each -> new HashSet<>()).add(is.parameters());
            return;
        }
        Duration late = world.elapsed().minus(TOO_LATE);
        users.getOrDefault(name, Map.of())
                .forEach((user, since) -> findings.require(
                        since.compareTo(late) > 0, "VAC-used", "class " + name + " went, and " + user + " names it"));
    }

    private void names(WorldView world, ObjectWrite<?> write) {
        if (write.after().isPresent() && write.after().get() instanceof PersistentVolumeClaim claim) {
            wished.computeIfAbsent(claim.metadata().uid(), each -> new TreeSet<>())
                    .add(claim.spec().volumeAttributesClassName().orElse(""));
        }
        String user = write.kind().name() + " " + write.key();
        Set<String> now = write.after().map(AttributesRules::namedBy).orElse(Set.of());
        users.forEach((name, each) -> {
            if (!now.contains(name)) {
                each.remove(user);
            }
        });
        now.forEach(name -> users.computeIfAbsent(name, each -> new TreeMap<>()).putIfAbsent(user, world.elapsed()));
    }

    private static Set<String> namedBy(KubernetesObject object) {
        Set<String> names = new TreeSet<>();
        if (object instanceof PersistentVolume volume) {
            volume.spec().volumeAttributesClassName().ifPresent(names::add);
        } else if (object instanceof PersistentVolumeClaim claim) {
            claim.spec().volumeAttributesClassName().ifPresent(names::add);
            claim.status().currentVolumeAttributesClassName().ifPresent(names::add);
            claim.status().modifyVolumeStatus().ifPresent(under -> names.add(under.targetVolumeAttributesClassName()));
        }
        names.remove("");
        return names;
    }

    /** That a volume has a class, and that a claim has it, is said only when it was heard. */
    private void shown(ObjectWrite<?> write, Findings findings) {
        Optional<?> before = write.before();
        Optional<?> after = write.after();
        if (before.isEmpty() && after.isPresent() && after.get() instanceof PersistentVolume made) {
            intended.remove(VolumeFacts.name(made));
            if (!write.ours()) {
                given.remove(VolumeFacts.name(made));
            }
            told(write, VolumeFacts.name(made), Optional.empty(), made.spec().volumeAttributesClassName(), findings);
        } else if (before.isEmpty() || after.isEmpty()) {
            if (write.kind().equals(Kinds.PERSISTENT_VOLUME)) {
                intended.remove(write.key().name());
            }
        } else if (before.get() instanceof PersistentVolume was && after.get() instanceof PersistentVolume is) {
            told(
                    write,
                    VolumeFacts.name(is),
                    was.spec().volumeAttributesClassName(),
                    is.spec().volumeAttributesClassName(),
                    findings);
        } else if (before.get() instanceof PersistentVolumeClaim was
                && after.get() instanceof PersistentVolumeClaim is
                && was.status().phase() == ClaimPhase.BOUND
                && is.status().phase() == ClaimPhase.BOUND) {
            String volume = is.spec().volumeName();
            is.status()
                    .modifyVolumeStatus()
                    .filter(under -> under.status().equals(IN_PROGRESS))
                    .ifPresent(under -> intended.computeIfAbsent(volume, each -> new HashSet<>())
                            .add(under.targetVolumeAttributesClassName()));
            told(
                    write,
                    volume,
                    was.status().currentVolumeAttributesClassName(),
                    is.status().currentVolumeAttributesClassName(),
                    findings);
        }
    }

    private void told(
            ObjectWrite<?> write, String volume, Optional<String> was, Optional<String> is, Findings findings) {
        findings.require(
                !write.ours() || is.isEmpty() || is.equals(was) || has(volume, is.get()),
                "VAC-shown",
                write.key() + " shows class " + is.orElse("") + ", and of " + volume + " was heard "
                        + given.get(volume));
    }

    // ---- in the end ----

    @Override
    public void atRest(WorldView world, Findings findings) {
        for (VolumeAttributesClass attributes : world.all(Kinds.VOLUME_ATTRIBUTES_CLASS)) {
            boolean used =
                    !users.getOrDefault(attributes.metadata().name(), Map.of()).isEmpty();
            findings.require(
                    !attributes.metadata().isDeleting() || used,
                    "L-delete",
                    "class " + attributes.metadata().name() + " is not deleted, though no object names it");
        }
        for (PersistentVolumeClaim claim : world.claims()) {
            Optional<PersistentVolume> volume =
                    VolumeFacts.volumeOf(world, claim).filter(found -> VolumeFacts.names(found, ObjectKey.of(claim)));
            boolean bound = claim.status().phase() == ClaimPhase.BOUND
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
            if (bound && volume.isPresent()) {
                hasWhatItNames(world, claim, volume.get(), findings);
            }
        }
    }

    /** Only classes for the volume's driver are of use; a claim that names another class, or a missing one, goes on waiting. */
    private void hasWhatItNames(
            WorldView world, PersistentVolumeClaim claim, PersistentVolume volume, Findings findings) {
        Optional<String> driver = volume.spec().source().flatMap(CsiSource::of).map(CsiSource::driver);
        Optional<String> wanted = VolumeFacts.attributesFor(world, claim, driver);
        boolean shown = claim.status().currentVolumeAttributesClassName().equals(wanted)
                && volume.spec().volumeAttributesClassName().equals(wanted)
                && claim.status().modifyVolumeStatus().isEmpty();
        findings.require(
                wanted.isEmpty() || (shown && has(VolumeFacts.name(volume), wanted.get())),
                "L-modify",
                "claim " + ObjectKey.of(claim) + " names class " + wanted.orElse("") + ", shows "
                        + claim.status().currentVolumeAttributesClassName().orElse("none") + " and "
                        + claim.status().modifyVolumeStatus() + ", and of " + VolumeFacts.name(volume)
                        + " was heard " + given.get(VolumeFacts.name(volume)));
    }
}
