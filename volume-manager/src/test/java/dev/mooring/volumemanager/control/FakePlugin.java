// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A plugin whose pure half works; its calls are answered by the {@link NodeWorld}. Serves sources with a {@code path}. */
class FakePlugin implements StoragePlugin, Publishing, Provisioning, Deleting, Recycling {
    static final PluginName NAME = new PluginName("example.com/fake");
    static final String TYPE = "fake";

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(TYPE), Place.NODE);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, source.attributes().text("path").orElseThrow());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return source.attributes()
                        .text("path")
                        .filter(path -> path.startsWith("/"))
                        .isPresent()
                ? List.of()
                : List.of(new FieldProblem("spec.fake.path", "must be an absolute path"));
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return Outcome.done(new VolumeTemplate(
                SmallCluster.source("/made/" + request.volumeName()),
                request.requested(),
                List.of(AccessMode.READ_WRITE_ONCE),
                Optional.empty(),
                Map.of()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        throw new UnsupportedOperationException("the world answers");
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        throw new UnsupportedOperationException("the world answers");
    }

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        throw new UnsupportedOperationException("the world answers");
    }

    /** What it keeps in the pod's own place. */
    static final String ON_DISK = "on disk";

    @Override
    public boolean outlivesBoot(PluginState state) {
        return state.content().equals(ON_DISK);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        throw new UnsupportedOperationException("the world answers");
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        throw new UnsupportedOperationException("the world answers");
    }

    /** Another plugin, whose volumes are paths of the node too; serves sources of the type {@code disk}. */
    static final class Disks extends FakePlugin {
        static final PluginName NAME = new PluginName("example.com/disks");
        static final String TYPE = "disk";

        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of(TYPE), Place.NODE);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, super.identify(source).backend());
        }
    }

    /** The same, and it gives storage attributes. */
    static final class Attributed extends FakePlugin implements Modifying {
        @Override
        public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
            throw new UnsupportedOperationException("no test modifies here");
        }
    }

    /** The same, but its volumes have to be attached. */
    static class Attached extends FakePlugin implements Attaching {
        @Override
        public boolean requiresAttach(VolumeSpec volume) {
            return true;
        }

        @Override
        public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
            throw new UnsupportedOperationException("no test attaches here");
        }

        @Override
        public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
            throw new UnsupportedOperationException("no test detaches here");
        }

        @Override
        public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
            return Map.of();
        }

        @Override
        public <C extends Capability> Optional<C> capability(Class<C> type) {
            return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
        }
    }

    /** The same, but its volumes have to be attached and prepared. */
    static class Staged extends Attached implements Staging {
        @Override
        public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
            throw new UnsupportedOperationException("the world answers");
        }

        @Override
        public Outcome<Nothing> unstage(
                OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
            throw new UnsupportedOperationException("the world answers");
        }

        /** A state that says what it lacks. */
        @Override
        public Optional<String> missing(PluginState state) {
            return Optional.of(state.content()).filter(content -> content.startsWith("without "));
        }
    }

    /** The same, and its volumes may be mounted with a label of SELinux. */
    static class Labelled extends Staged {
        @Override
        public boolean takesSELinuxContext(VolumeSpec volume) {
            return true;
        }
    }

    /** The same, and its volumes may become larger. */
    static class Growing extends Staged implements NodeExpanding {
        @Override
        public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
            throw new UnsupportedOperationException("the world answers");
        }
    }

    /** The same, but nothing is at the place where its volumes are prepared, as with a CSI driver that does not stage. */
    static final class GrowingWherePublished extends Growing {
        @Override
        public boolean showsMounts(PluginState state) {
            return false;
        }
    }

    /** The same, and it recognises what it has mounted. */
    static class Recognising extends Staged implements Reconstructing {
        final Map<Path, VolumeSource> mine = new HashMap<>();
        final Map<Path, Supplier<Outcome<Adopted>>> answers = new HashMap<>();

        @Override
        public Outcome<Adopted> reconstruct(OperationContext context, Path path) {
            Supplier<Outcome<Adopted>> answer = answers.get(path);
            if (answer != null) {
                return answer.get();
            }
            return Optional.ofNullable(mine.get(path))
                    .map(source -> Outcome.done(new Adopted(source, new PluginState(1, "recognised"))))
                    .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "none of mine"));
        }
    }

    /** The same, and its volumes may be seen as devices. */
    static final class Devices extends Recognising implements BlockMapping {
        @Override
        public Outcome<Path> map(OperationContext context, PublishRequest request) {
            throw new UnsupportedOperationException("the world answers");
        }

        @Override
        public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
            throw new UnsupportedOperationException("the world answers");
        }

        @Override
        public Path mapDirectory(VolumeSpec volume, VolumeId id) {
            return Path.of("volumeDevices", "data");
        }
    }
}
