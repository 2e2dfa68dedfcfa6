// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The exported API of each library, one line per type and member, compared with what we last agreed to publish. Written
 * from reflection rather than by {@code javap}: its output changes with the JDK, and it shows neither {@code @Nullable}
 * nor {@code @API}.
 */
class ApiSignatureTest {
    @Test
    void exportedApiIsAsAgreed() throws ClassNotFoundException {
        Set<String> names = new TreeSet<>();
        for (Reactor.Unit unit : Reactor.libraries()) {
            if (unit.isPlugin()) {
                continue;
            }
            names.add(unit.module());
            Golden.compare("api", unit.module(), render(unit));
        }
        Golden.nothingElse("api", names);
    }

    private static String render(Reactor.Unit unit) throws ClassNotFoundException {
        StringBuilder out = new StringBuilder(unit.module()).append('\n');
        for (String pack : unit.exportedPackages()) {
            Path directory = unit.classes().resolve(pack.replace('.', File.separatorChar));
            for (Path file : Reactor.filesBelow(directory, ".class")) {
                String simple = file.getFileName().toString().replace(".class", "");
                if (!directory.equals(file.getParent()) || simple.equals("package-info") || isBuilder(file)) {
                    continue;
                }
                Class<?> type = Class.forName(pack + "." + simple, false, ApiSignatureTest.class.getClassLoader());
                if (isVisible(type)) {
                    out.append('\n').append(head(type)).append('\n');
                    members(type)
                            .forEach(line -> out.append("    ").append(line).append('\n'));
                }
            }
        }
        return out.toString();
    }

    /** A builder is generated from its record's head, which is in the list. */
    private static boolean isBuilder(Path file) {
        String name = file.getFileName().toString();
        return name.contains("Builder")
                && Files.exists(file.resolveSibling(name.replaceAll("Builder.*", "Builder\\$With.class")));
    }

    private static boolean isVisible(Class<?> type) {
        if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
            return false;
        }
        Class<?> outer = type.getDeclaringClass();
        return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String head(Class<?> type) {
        String kind = "class";
        int hidden = Modifier.SYNCHRONIZED;
        if (type.isAnnotation()) {
            kind = "@interface";
            hidden |= Modifier.ABSTRACT | Modifier.INTERFACE;
        } else if (type.isInterface()) {
            kind = "interface";
            hidden |= Modifier.ABSTRACT | Modifier.INTERFACE;
        } else if (type.isEnum()) {
            kind = "enum";
            hidden |= Modifier.FINAL | Modifier.ABSTRACT;
        } else if (type.isRecord()) {
            kind = "record";
            hidden |= Modifier.FINAL;
        }
        StringBuilder head = new StringBuilder(status(type));
        String modifiers = Modifier.toString(type.getModifiers() & ~hidden);
        head.append(modifiers.isEmpty() ? "" : modifiers + " ");
        // An enum with constant bodies is compiled as sealed; which constants have one is not part of the API.
        boolean sealed = type.isSealed() && !type.isEnum();
        head.append(sealed ? "sealed " : "").append(kind).append(' ').append(type.getName());
        head.append(variables(type));
        if (type.isRecord()) {
            head.append(Arrays.stream(type.getRecordComponents())
                    .map(component -> text(component.getAnnotatedType()) + " " + component.getName())
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        AnnotatedType parent = type.getAnnotatedSuperclass();
        if (kind.equals("class") && parent != null && parent.getType() != Object.class) {
            head.append(" extends ").append(text(parent));
        }
        AnnotatedType[] interfaces = type.getAnnotatedInterfaces();
        if (interfaces.length > 0 && !type.isAnnotation()) {
            head.append(type.isInterface() ? " extends " : " implements ").append(list(interfaces));
        }
        if (sealed) {
            head.append(Stream.of(type.getPermittedSubclasses())
                    .map(Class::getName)
                    .sorted() // compilers differ in the order
                    .collect(Collectors.joining(", ", " permits ", "")));
        }
        return head.toString();
    }

    private static List<String> members(Class<?> type) {
        List<String> constants = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (field.isEnumConstant()) {
                // In their order, which is part of what compareTo promises.
                constants.add(status(field) + field.getName());
            } else if (isShown(field)) {
                others.add(status(field) + modifiers(field, Modifier.fieldModifiers()) + text(field.getAnnotatedType())
                        + " " + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isShown(constructor)) {
                others.add(status(constructor)
                        + modifiers(constructor, Modifier.constructorModifiers())
                        + variables(constructor)
                        + type.getSimpleName()
                        + parameters(constructor));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isShown(method)) {
                others.add(status(method)
                        + (method.isDefault() ? "default " : "")
                        + modifiers(method, Modifier.methodModifiers() & ~Modifier.SYNCHRONIZED)
                        + variables(method)
                        + text(method.getAnnotatedReturnType()) + " " + method.getName() + parameters(method)
                        + (method.getDefaultValue() == null ? "" : " default " + shown(method.getDefaultValue())));
            }
        }
        constants.addAll(others);
        return constants;
    }

    private static boolean isShown(Member member) {
        return isVisible(member.getModifiers()) && !member.isSynthetic();
    }

    private static String modifiers(Member member, int mask) {
        String text = Modifier.toString(member.getModifiers() & mask);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String parameters(Executable executable) {
        AnnotatedType[] thrown = executable.getAnnotatedExceptionTypes();
        return "(" + list(executable.getAnnotatedParameterTypes()) + ")"
                + (thrown.length == 0 ? "" : " throws " + list(thrown));
    }

    private static String status(AnnotatedElement element) {
        API api = element.getAnnotation(API.class);
        return (api == null ? "" : "@API(" + api.status() + ", " + api.since() + ") ")
                + (element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "");
    }

    private static String variables(GenericDeclaration declaration) {
        TypeVariable<?>[] variables = declaration.getTypeParameters();
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables)
                .map(variable -> variable.getName() + bounds(" extends ", variable.getAnnotatedBounds()))
                .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String bounds(String word, AnnotatedType[] bounds) {
        boolean none = bounds.length == 0
                || (bounds.length == 1
                        && word.equals(" extends ")
                        && text(bounds[0]).equals("java.lang.Object"));
        return none
                ? ""
                : word + Arrays.stream(bounds).map(ApiSignatureTest::text).collect(Collectors.joining(" & "));
    }

    private static String list(AnnotatedType[] types) {
        return Arrays.stream(types).map(ApiSignatureTest::text).collect(Collectors.joining(", "));
    }

    /** A type as in source, with full names and {@code @Nullable}. */
    private static String text(AnnotatedType type) {
        String nullable = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
        if (type instanceof AnnotatedArrayType array) {
            String brackets = nullable.isEmpty() ? "[]" : " " + nullable + "[]";
            return text(array.getAnnotatedGenericComponentType()) + brackets;
        }
        if (type instanceof AnnotatedParameterizedType generic) {
            String raw = ((ParameterizedType) generic.getType()).getRawType().getTypeName();
            return nullable + raw + "<" + list(generic.getAnnotatedActualTypeArguments()) + ">";
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return "?" + bounds(" super ", wildcard.getAnnotatedLowerBounds())
                    + (wildcard.getAnnotatedLowerBounds().length > 0
                            ? ""
                            : bounds(" extends ", wildcard.getAnnotatedUpperBounds()));
        }
        if (type instanceof AnnotatedTypeVariable variable) {
            return nullable + variable.getType().getTypeName();
        }
        return nullable + type.getType().getTypeName();
    }

    @Test
    void rendersWhatMatters() throws NoSuchMethodException {
        Method method = Sample.class.getDeclaredMethod("pick", List.class, String[].class);
        assertThat(variables(method) + text(method.getAnnotatedReturnType()) + parameters(method))
                .isEqualTo("<T extends java.lang.Comparable<? super T>> @Nullable T"
                        + "(java.util.List<? extends T>, java.lang.String[]) throws java.lang.IllegalStateException");
    }

    /** What {@link #rendersWhatMatters()} looks at. */
    interface Sample {
        <T extends Comparable<? super T>> @Nullable T pick(List<? extends T> from, String[] names)
                throws IllegalStateException;
    }

    /** A default value of an annotation; an array by its elements. */
    private static String shown(Object value) {
        return value instanceof Object[] many ? Arrays.toString(many) : value.toString();
    }
}
