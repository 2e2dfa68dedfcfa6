// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.CapacityRole;
import dev.mooring.binder.calls.CapacityCall;
import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapacityControllerTest {
    private static final String DRIVER = "disks.example.com";
    private static final CapacityPool POOL = new CapacityPool(DRIVER, "fast", Map.of("zone", "east"));
    private static final Key KEY = new Key("storage-capacity", POOL.key(CapacityRole.DEFAULT));

    private final CapacityController controller =
            new CapacityController(new PluginRegistry(List.of(new Reporter())), CapacityRole.DEFAULT);
    private final Set<Key> posted = new TreeSet<>();
    private final Caches caches = new Caches(
            controller.kinds(),
            change -> controller.observe(change, new Mailbox() {
                @Override
                public void inputChanged(Key key) {
                    posted.add(key);
                }

                @Override
                public void recheck(Key key) {
                    posted.add(key);
                }
            }));
    private Optional<KeyState> state = Optional.empty();
    private Duration now = Duration.ZERO;
    private int version;
    private Decision rest = Decision.nothing();

    private static final class Reporter implements StoragePlugin, CapacityReporting {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(DRIVER), List.of(), Place.CONTROLLER)
                    .withSupportsMountOptions(true)
                    .withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(describe().name(), "v");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<FreeSpace> freeSpace(
                OperationContext context, Map<String, String> parameters, Map<String, String> place) {
            return Outcome.deferred("only the decisions are looked at");
        }
    }

    @BeforeEach
    void cluster() {
        caches.of(Kinds.CSI_DRIVER)
                .put(
                        new CSIDriver(
                                ObjectMeta.named(DRIVER), CSIDriverSpec.EMPTY.withStorageCapacity(Optional.of(true))),
                        Origin.WATCH);
        Node node = Node.of("n1");
        caches.of(Kinds.NODE).put(node.withMetadata(node.metadata().withLabels(Map.of("zone", "east"))), Origin.WATCH);
        caches.of(Kinds.CSI_NODE)
                .put(
                        new CSINode(
                                ObjectMeta.named("n1"),
                                new CSINodeSpec(
                                        List.of(new CSINodeDriver(DRIVER, "id", List.of("zone"), Optional.empty())))),
                        Origin.WATCH);
        caches.of(Kinds.STORAGE_CLASS).put(storageClass(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER), Origin.WATCH);
    }

    /** As a store's next version of an object. */
    private ObjectMeta later(ObjectMeta metadata) {
        return metadata.withUid("uid").withResourceVersion(Integer.toString(++version));
    }

    private StorageClass storageClass(VolumeBindingMode mode) {
        return new StorageClass(
                later(ObjectMeta.named("fast")),
                DRIVER,
                Map.of("type", "ssd"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(mode),
                List.of());
    }

    private Decision decide(EffectResult... results) {
        Optional<KeyState> before = state;
        Decision decision = controller.decide(
                KEY,
                state,
                new Situation(caches, new Time(Instant.EPOCH.plus(now), now.toNanos()), Map.of(), List.of(results)));
        state = decision.state();
        controller.applied(KEY, before, state, new Mailbox() {
            @Override
            public void inputChanged(Key key) {}

            @Override
            public void recheck(Key key) {}
        });
        return decision;
    }

    private Decision answered(long gibibytes) {
        Effect asked = decide().effects().get(0);
        return decide(new EffectResult.Performed(
                asked,
                Outcome.done(new CapacityReporting.FreeSpace(Quantity.parse(gibibytes + "Gi"), Optional.empty()))));
    }

    private CSIStorageCapacity written(Decision decision) {
        Effect effect = decision.effects().get(0);
        CSIStorageCapacity object = effect instanceof Effect.Create<?> create
                ? (CSIStorageCapacity) create.value()
                : (CSIStorageCapacity) ((Effect.Update<?>) effect).change().edited();
        caches.of(Kinds.CSI_STORAGE_CAPACITY).put(object.withMetadata(later(object.metadata())), Origin.OWN_WRITE);
        rest = decide();
        return object;
    }

    private void aVolumeComes() {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        caches.of(Kinds.PERSISTENT_VOLUME)
                .put(
                        volume.withSpec(volume.spec()
                                .withSource(Optional.of(new CsiSource(DRIVER, "h", "", false, Map.of()).toSource()))),
                        Origin.WATCH);
    }

    @Test
    void aPoolIsAskedForAndWrittenAndAskedForAgainAMinuteLater() {
        assertThat(posted).contains(KEY);
        assertThat(decide().effects())
                .singleElement()
                .satisfies(effect -> assertThat(((Effect.Perform) effect).call())
                        .isEqualTo(new CapacityCall(
                                new PluginName(DRIVER), "fast", Map.of("type", "ssd"), Map.of("zone", "east"))));
        assertThat(written(answered(100)).capacity()).contains(Quantity.parse("100Gi"));
        assertThat(rest.effects()).isEmpty();
        assertThat(rest.wakeAfter()).contains(CapacityRole.DEFAULT.interval());

        now = now.plus(CapacityRole.DEFAULT.interval());
        assertThat(written(answered(99)).capacity()).contains(Quantity.parse("99Gi"));
        now = now.plus(CapacityRole.DEFAULT.interval());
        assertThat(answered(99).effects()).as("nothing has changed").isEmpty();
    }

    @Test
    void aVolumeThatComesOrGoesIsAReasonToAskSooner() {
        written(answered(100));
        aVolumeComes();

        Decision soon = decide();
        assertThat(soon.effects()).isEmpty();
        assertThat(soon.wakeAfter()).contains(CapacityController.SHORTEST);
        now = now.plus(CapacityController.SHORTEST);
        assertThat(written(answered(99)).capacity()).contains(Quantity.parse("99Gi"));
        assertThat(rest.wakeAfter()).contains(CapacityRole.DEFAULT.interval());
    }

    @Test
    void whatIsToldStaysWhileTheDriverDoesNotAnswerAndPeopleAreToldOnce() {
        written(answered(100));
        now = now.plus(CapacityRole.DEFAULT.interval());
        Effect asked = decide().effects().get(0);

        Decision failed = decide(new EffectResult.Performed(asked, Outcome.deferred("it hangs")));
        assertThat(failed.effects()).anyMatch(Effect.Announce.class::isInstance);
        Decision again = decide(new EffectResult.Performed(asked, Outcome.deferred("it hangs")));
        assertThat(again.effects()).noneMatch(Effect.Announce.class::isInstance);
        assertThat(caches.of(Kinds.CSI_STORAGE_CAPACITY).all()).hasSize(1);
    }

    @Test
    void whoCannotDoItIsAskedAgainMuchLater() {
        Effect asked = decide().effects().get(0);
        assertThat(decide(new EffectResult.Performed(asked, Outcome.refused(Refusal.UNSUPPORTED, "no")))
                        .wakeAfter())
                .contains(CapacityController.UNABLE);

        now = now.plus(CapacityController.UNABLE);
        Effect create = answered(1).effects().get(0);
        assertThat(decide(new EffectResult.Stored(create, StoreResult.failed(Failure.NOT_FOUND, "no such kind")))
                        .wakeAfter())
                .contains(CapacityController.UNABLE);
    }

    @Test
    void anAnswerThatFoundItsObjectDeletedIsWrittenAsANewOne() {
        CSIStorageCapacity own = written(answered(100));
        now = now.plus(CapacityRole.DEFAULT.interval());
        Effect update = answered(99).effects().get(0);
        caches.of(Kinds.CSI_STORAGE_CAPACITY).remove(ObjectKey.of(own), "uid", new Revision(1_000_000), Origin.WATCH);

        Decision again = decide(new EffectResult.Stored(update, StoreResult.failed(Failure.NOT_FOUND, "not found")));

        assertThat(again.effects()).anyMatch(Effect.Create.class::isInstance);
    }

    @Test
    void aDriverThatCannotDoItIsNotHurriedByVolumes() {
        Effect asked = decide().effects().get(0);
        aVolumeComes();
        decide(new EffectResult.Performed(asked, Outcome.refused(Refusal.UNSUPPORTED, "no")));

        now = now.plus(CapacityController.SHORTEST);
        assertThat(decide().effects()).isEmpty();
    }

    @Test
    void anObjectThatIsAboutNothingAnyMoreIsDeletedUnlessItIsAnothers() {
        CSIStorageCapacity own = written(answered(100));
        caches.of(Kinds.STORAGE_CLASS).put(storageClass(VolumeBindingMode.IMMEDIATE), Origin.WATCH);
        assertThat(decide().effects()).singleElement().isInstanceOf(Effect.Delete.class);

        caches.of(Kinds.CSI_STORAGE_CAPACITY)
                .put(own.withMetadata(later(own.metadata()).withLabels(Map.of())), Origin.WATCH);
        assertThat(decide().effects()).isEmpty();
        assertThat(ObjectKey.of(own)).isEqualTo(POOL.key(CapacityRole.DEFAULT));
    }
}
