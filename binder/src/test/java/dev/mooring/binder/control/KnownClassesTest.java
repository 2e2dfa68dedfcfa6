// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which class is the default one (semantics/binder §1.3 U5), and which changes of classes mean anything to claims. */
class KnownClassesTest {
    private static final StorageClass FAST =
            BinderObjects.storageClass("fast", "example.com/disks", VolumeBindingMode.IMMEDIATE);

    private record Edit(String what, boolean meaning, UnaryOperator<StorageClass> made) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Edit> edits() {
        return Stream.of(
                new Edit("a label", false, c -> c.withMetadata(c.metadata().withLabels(Map.of("a", "b")))),
                new Edit(
                        "an annotation", false, c -> c.withMetadata(c.metadata().withAnnotation("a", "b"))),
                new Edit("whether claims may grow", false, c -> c.withAllowVolumeExpansion(Optional.of(true))),
                new Edit("the provisioner", true, c -> c.withProvisioner("example.com/others")),
                new Edit("a parameter", true, c -> c.withParameters(Map.of("a", "b"))),
                new Edit("a mount option", true, c -> c.withMountOptions(List.of("ro"))),
                new Edit("when to bind", true, c -> c.withVolumeBindingMode(Optional.empty())));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void onlyWhatAClaimWithoutVolumeDependsOnIsAChange(Edit edit) {
        KnownClasses classes = new KnownClasses();
        classes.update("fast", Optional.of(FAST));
        assertThat(classes.update("fast", Optional.of(edit.made().apply(FAST))))
                .isEqualTo(new KnownClasses.Change(edit.meaning(), false));
    }

    @Test
    void aClassThatIsNotTheDefaultOneChangesNothingForClaimsWithoutClass() {
        KnownClasses classes = new KnownClasses();
        assertThat(classes.update("fast", Optional.of(FAST)).defaultClass()).isFalse();
        assertThat(classes.update("fast", Optional.of(BinderObjects.byDefault(FAST)))
                        .defaultClass())
                .isTrue();
        assertThat(classes.update("fast", Optional.empty()).defaultClass()).isTrue();
    }

    @Test
    void theDefaultClassIsAlwaysTheOneThatASearchFinds() {
        Random random = new Random(28);
        KnownClasses classes = new KnownClasses();
        Map<String, StorageClass> all = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            String name = "class-" + random.nextInt(8);
            Optional<StorageClass> before = searched(all);
            Optional<StorageClass> after = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(any(name, random));
            after.ifPresentOrElse(found -> all.put(name, found), () -> all.remove(name));
            KnownClasses.Change change = classes.update(name, after);
            Optional<StorageClass> found = searched(all);
            assertThat(classes.defaultClass()).isEqualTo(found);
            assertThat(change.defaultClass())
                    .isEqualTo(!before.map(c -> c.metadata().name())
                            .equals(found.map(c -> c.metadata().name())));
        }
    }

    private static StorageClass any(String name, Random random) {
        ObjectMeta metadata = ObjectMeta.named(name)
                .withCreationTimestamp(
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(Instant.EPOCH.plusSeconds(random.nextInt(3))));
        return FAST.withMetadata(metadata.withAnnotation(Annotations.IS_DEFAULT_CLASS, "" + random.nextBoolean()));
    }

    private static Optional<StorageClass> searched(Map<String, StorageClass> all) {
        return all.values().stream()
                .filter(StorageClasses::isDefault)
                .min(Comparator.comparing((StorageClass c) ->
                                c.metadata().creationTimestamp().orElse(Instant.EPOCH))
                        .reversed()
                        .thenComparing(c -> c.metadata().name()));
    }
}
