// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Finds disks that can be offered: surely blank, or surely clean, or to be adopted as they are. Changes nothing. */
final class Finder {
    private static final int NAME_DIGITS = 24;
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final int MOST_ENTRIES = 10_000;
    private static final Set<String> NO_DATA = Set.of("lost+found");
    private static final long KIBI = 1024;

    private final OperationContext context;
    private final Map<String, String> nodeLabels;

    Finder(OperationContext context, Map<String, String> nodeLabels) {
        this.context = context;
        this.nodeLabels = nodeLabels;
    }

    Outcome<List<FoundVolume>> find(List<Offer> offers) {
        Map<String, FoundVolume> found = new LinkedHashMap<>();
        for (Offer offer : offers) {
            Path directory = offer.directory().orElseThrow();
            Outcome<List<String>> names = context.host()
                    .files()
                    .open(directory, LinkRule.FOLLOW)
                    .then(pinned -> {
                        try (pinned) {
                            return pinned.list(MOST_ENTRIES);
                        }
                    });
            if (!names.isDone()) {
                context.report(Notice.warning(
                        "DiscoveryFailed", directory + " cannot be searched for volumes: " + names.message()));
            }
            for (String name : names.result().orElse(List.of())) {
                if (offer.takes(name)) {
                    look(offer, directory.resolve(name)).ifPresent(volume -> found.putIfAbsent(volume.name(), volume));
                }
            }
        }
        return Outcome.done(List.copyOf(found.values()));
    }

    /** One bad disk keeps no other one from being offered. */
    private Optional<FoundVolume> look(Offer offer, Path entry) {
        Outcome<FoundVolume> outcome = new Locator(context).locate(entry).then(located -> {
            try (located) {
                return eligible(offer, located)
                        .then(state -> size(located).map(bytes -> volume(offer, entry, located, state, bytes)));
            }
        });
        if (!outcome.isDone()) {
            context.report(
                    Notice.normal("VolumeNotOffered", entry + " is not offered as a volume: " + outcome.message()));
        }
        return outcome.result();
    }

    // ---- may it be offered ----

    /** What is noted of its content; refused if it may hold data or cannot be told from another disk. */
    private Outcome<String> eligible(Offer offer, LocatedVolume located) {
        if (located.device().isEmpty() && offer.mode() == VolumeMode.BLOCK) {
            return LocalStager.noDevice(located.path());
        }
        if (located.identity().kind() == DiskIdentity.Kind.DIRECTORY) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "no file system is mounted on the directory");
        }
        if (!located.identity().isCertain()) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the device has no identity that lasts");
        }
        DiskLedger ledger = new DiskLedger(context);
        return ledger.find(located.identity()).then(known -> {
            boolean dirty = known.filter(entry -> entry.state() != DiskEntry.State.CLEAN)
                    .isPresent();
            if (dirty) {
                return Outcome.refused(
                        Refusal.IN_USE,
                        "it holds or held data of volume " + known.get().name());
            }
            String note = known.isPresent() ? "clean" : "new";
            return ledger.sharesWithNoOther(located.identity(), "", false)
                    .then(nothing -> unused(located))
                    .then(nothing -> isBlank(located))
                    .then(blank -> blank || (known.isEmpty() && offer.adopt())
                            ? Outcome.done(note)
                            : Outcome.refused(Refusal.IN_USE, "it holds data of unknown origin"));
        });
    }

    private Outcome<Nothing> unused(LocatedVolume located) {
        return located.device().isPresent()
                ? LocalDevices.unused(context, located.device().get())
                : Outcome.done();
    }

    private Outcome<Boolean> isBlank(LocatedVolume located) {
        return located.device().isPresent()
                ? LocalDevices.looksBlank(context, located.device().get())
                : located.pinned().list(MOST_ENTRIES).map(NO_DATA::containsAll);
    }

    // ---- what it is offered as ----

    private static Outcome<Long> size(LocatedVolume located) {
        return located.device()
                .map(device -> Outcome.done(device.sizeBytes()))
                .orElseGet(() -> located.pinned().space().map(space -> space.capacityBytes()));
    }

    /** Whole gibibytes from ten on, else whole mebibytes from ten on, as the static provisioner of Kubernetes does. */
    static long rounded(long bytes) {
        for (long unit : new long[] {KIBI * KIBI * KIBI, KIBI * KIBI}) {
            if (bytes >= 10 * unit) {
                return bytes / unit * unit;
            }
        }
        return bytes;
    }

    /** The same name for the same disk on the same node, another one for any other. */
    static String name(String nodeUid, DiskIdentity identity) {
        return "local-" + Sha256.hex(nodeUid + "\n" + identity.key()).substring(0, NAME_DIGITS);
    }

    private FoundVolume volume(Offer offer, Path entry, LocatedVolume located, String state, long bytes) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(DiskIdentity.NOTE, located.identity().toString());
        annotations.put(DiskAdmission.CLEAN_NOTE, state);
        offer.clean().ifPresent(method -> annotations.put(CleanMethod.ANNOTATION, method.toString()));
        String fsType = located.device().isPresent() ? offer.fsType() : "";
        return new FoundVolume(
                name(context.node().map(NodeRef::uid).orElse(""), located.identity()),
                offer.className(),
                offer.mode(),
                new VolumeTemplate(
                        new LocalSource(entry.toString(), fsType).toSource(),
                        Quantity.ofBytes(rounded(bytes)),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Optional.of(affinity(offer)),
                        annotations));
    }

    /** All labels in one term: each narrows, none opens the volume to further nodes. */
    private VolumeNodeAffinity affinity(Offer offer) {
        List<NodeSelectorRequirement> all = new ArrayList<>();
        String node = context.node().map(NodeRef::name).orElse("");
        all.add(new NodeSelectorRequirement(HOSTNAME, "In", List.of(nodeLabels.getOrDefault(HOSTNAME, node))));
        offer.where().forEach((key, value) -> all.add(new NodeSelectorRequirement(key, "In", List.of(value))));
        return new VolumeNodeAffinity(Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(all, List.of())))));
    }
}
