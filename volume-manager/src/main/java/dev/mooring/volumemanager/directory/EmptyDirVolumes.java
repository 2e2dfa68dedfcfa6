// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.directory;

import dev.mooring.storage.model.EmptyDirSource;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.downward.PodResources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Empty directories that live as long as their pod (semantics/plugins §1.9). */
public final class EmptyDirVolumes implements StoragePlugin, Publishing {
    private static final PluginDescriptor DESCRIPTOR = PluginDescriptor.of(
                    new PluginName("kubernetes.io/empty-dir"), List.of(EmptyDirSource.TYPE), Place.NODE)
            .withManagesOwnership(true);
    private static final String MEMORY = "Memory";
    private static final String RESOURCE = "memory";
    private static final String HUGE_PAGES = "HugePages";
    private static final int MODE = 0777;

    @Override
    public PluginDescriptor describe() {
        return DESCRIPTOR;
    }

    /** The host names such volumes by pod and volume, since no two are ever the same storage. */
    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(DESCRIPTOR.name(), "of-a-pod");
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        List<FieldProblem> problems = new ArrayList<>();
        String medium = medium(source);
        boolean known = medium.isEmpty()
                || medium.equals(MEMORY)
                || medium.equals(HUGE_PAGES)
                || pageSize(medium).isPresent();
        if (!known) {
            problems.add(new FieldProblem("medium", "must be '', Memory, HugePages or HugePages-<size>"));
        }
        read(source)
                .sizeLimit()
                .filter(text -> Quantity.tryParse(text)
                        .filter(size -> size.signum() >= 0)
                        .isEmpty())
                .ifPresent(
                        text -> problems.add(new FieldProblem("sizeLimit", "must be a quantity that is not negative")));
        return problems;
    }

    /**
     * The source of a volume of a pod, with what it leaves to the pod: the limit that memory really has is the least of its own, of what the
     * pod's containers may use together, and of what the node has for pods; huge pages without a size are those that the pod asks for, if it
     * asks for one size (semantics/plugins §1.9). Pure.
     *
     * @param allocatable what the node has for pods, by resource; empty if that is not known
     * @return the same source if it is neither, or is not valid, or nothing bounds it further
     */
    public static VolumeSource bounded(VolumeSource source, Pod pod, Map<String, Quantity> allocatable) {
        EmptyDirSource written = read(source);
        if (written.medium().equals(HUGE_PAGES)) {
            Set<String> sizes = PodResources.hugePageSizes(pod);
            return sizes.size() == 1
                    ? written.withMedium(HUGE_PAGES + "-" + sizes.iterator().next())
                            .toSource()
                    : source;
        }
        Optional<Quantity> own = written.limit();
        boolean valid = written.sizeLimit().isPresent()
                == own.filter(size -> size.signum() >= 0).isPresent();
        if (!written.medium().equals(MEMORY) || !valid) {
            return source;
        }
        return Stream.of(PodResources.limit(pod, RESOURCE), Optional.ofNullable(allocatable.get(RESOURCE)), own)
                .flatMap(Optional::stream)
                .filter(size -> size.signum() > 0)
                .min(Quantity::compareTo)
                .map(size -> written.withLimit(roundedUp(size)).toSource())
                .orElse(source);
    }

    private static Quantity roundedUp(Quantity size) {
        return Quantity.parse(size.valueRoundedUp().toString());
    }

    private static String medium(VolumeSource source) {
        return read(source).medium();
    }

    private static EmptyDirSource read(VolumeSource source) {
        return EmptyDirSource.of(source).orElseThrow();
    }

    /** The size of a page in {@code HugePages-2Mi}. */
    private static Optional<Long> pageSize(String medium) {
        return medium.startsWith(HUGE_PAGES + "-")
                ? Quantity.tryParse(medium.substring(HUGE_PAGES.length() + 1))
                        .filter(size -> size.signum() > 0 && size.fitsLong())
                        .map(Quantity::longValue)
                : Optional.empty();
    }

    /** Some of them are plain directories. */
    @Override
    public boolean showsMounts() {
        return false;
    }

    /** A directory on the disk lives as long as its pod; memory and huge pages go with the boot. */
    @Override
    public boolean outlivesBoot(PluginState state) {
        return HostDirectory.isOnDisk(state);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        VolumeSource source = request.volume().source();
        String medium = medium(source);
        HostDirectory directory = new HostDirectory(context);
        if (medium.isEmpty()) {
            return request.occasion() == Occasion.RESUME
                    ? directory.stillOnDisk(request.target())
                    : directory.onDisk(request.target(), MODE);
        }
        List<String> options = new ArrayList<>();
        sizeLimit(source).ifPresent(bytes -> options.add("size=" + bytes));
        if (medium.equals(MEMORY)) {
            options.add("mode=0777");
            return directory.inMemory(request.target(), options, MODE);
        }
        Optional<Long> pageSize = pageSize(medium);
        if (pageSize.isEmpty()) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED,
                    "medium " + medium
                            + ": the pod asks for no huge pages or for those of several sizes, so the size has to be named, as"
                            + " HugePages-2Mi");
        }
        options.add("pagesize=" + pageSize.get());
        return directory.ofHugePages(request.target(), options, MODE);
    }

    private static Optional<Long> sizeLimit(VolumeSource source) {
        return read(source)
                .limit()
                .filter(size -> size.signum() > 0 && size.fitsLong())
                .map(Quantity::longValue);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return new HostDirectory(context).remove(target, state);
    }
}
