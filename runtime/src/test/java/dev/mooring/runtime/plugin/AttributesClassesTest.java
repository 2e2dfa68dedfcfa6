// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttributesClassesTest {
    private static final PluginName NAME = new PluginName("disk.example.com");

    private final Caches caches = new Caches(List.of(Kinds.VOLUME_ATTRIBUTES_CLASS), change -> {});

    AttributesClassesTest() {
        put("fast", NAME.value());
        put("theirs", "far.example.com");
    }

    private void put(String name, String driver) {
        caches.of(Kinds.VOLUME_ATTRIBUTES_CLASS)
                .put(new VolumeAttributesClass(ObjectMeta.named(name), driver, Map.of("iops", "3000")), Origin.WATCH);
    }

    private static class Plain implements StoragePlugin {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of(), Place.CONTROLLER).withSupportsMountOptions(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, source.attributes().toString());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }
    }

    private static final class Attributed extends Plain implements Modifying {
        @Override
        public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
            return Outcome.done();
        }
    }

    private Outcome<Map<String, String>> wanted(StoragePlugin plugin, String named) {
        PersistentVolumeClaimSpec spec =
                PersistentVolumeClaimSpec.EMPTY.withVolumeAttributesClassName(Optional.ofNullable(named));
        return AttributesClasses.wanted(PersistentVolumeClaim.of("ns", "data", spec), plugin, caches);
    }

    @ParameterizedTest
    @CsvSource({
        "true, gone, NOT_FOUND, VAC gone does not exist",
        "true, theirs, INVALID, 'VAC theirs is for the driver far.example.com, not for disk.example.com'",
        "false, fast, UNSUPPORTED, 'plugin disk.example.com gives storage no attributes, and the claim names VAC fast'",
        "false, gone, UNSUPPORTED, 'plugin disk.example.com gives storage no attributes, and the claim names VAC gone'"
    })
    void whatIsRefused(boolean modifies, String named, Refusal refusal, String why) {
        Outcome<Map<String, String>> wanted = wanted(modifies ? new Attributed() : new Plain(), named);
        assertThat(wanted.isRefused(refusal)).isTrue();
        assertThat(wanted.message()).isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource({"true, fast, true", "true, '', false", "true,, false", "false, '', false", "false,, false"})
    void whatIsWanted(boolean modifies, String named, boolean some) {
        assertThat(wanted(modifies ? new Attributed() : new Plain(), named).result())
                .contains(some ? Map.of("iops", "3000") : Map.of());
    }
}
